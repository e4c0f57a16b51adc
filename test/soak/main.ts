import {parseArgs} from 'node:util'
import {runRounds} from './rounds.ts'

/** `npm run soak -- --rounds 20 --seed 7`: kills a lake again and again, and checks that nothing acknowledged is lost. */
async function main(): Promise<void> {
  const {values} = parseArgs({options: {rounds: {type: 'string'}, seed: {type: 'string'}}})
  const rounds = Number(values.rounds ?? 200)
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed))
    throw new Error('--rounds is a whole number from 1 on, and --seed a whole number')
  const started = performance.now()
  const elapsed = () => `${Math.round((performance.now() - started) / 1000)} s`
  console.log(`${rounds} rounds, seed ${seed}`)
  const {transactions, commits} = await runRounds({
    seed,
    rounds,
    progress: (at) => {
      if (at.rounds % 10 === 0)
        console.log(`${at.rounds} rounds, ${at.transactions} transactions, ${elapsed()}`)
    },
  })
  console.log(
    `nothing was lost: ${rounds} rounds, ${transactions} transactions acknowledged, ${commits} commits pushed, ${elapsed()}`,
  )
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
