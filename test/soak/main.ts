import {parseArgs} from 'node:util'
import {soakFuzz} from './fuzz/fuzz.ts'
import {publishUnderCaches} from './minute/minute.ts'
import {soakMixed} from './mixed/soak.ts'
import {replaceReplicas} from './rolling/rolling.ts'
import {runRounds} from './rounds.ts'
import type {Run} from './run.ts'
import {soakFlood, soakOutage, soakPublish} from './service/soaks.ts'
import {publishWhileOpen} from './snippet/publishing.ts'

/** `npm run soak -- lake snippet --rounds 200 --seed 7`; without a name, half an hour of `mixed`. */
const soaks: {readonly [name: string]: (run: Run) => Promise<void>} = {
  flood: soakFlood,
  fuzz: soakFuzz,
  lake: soakLake,
  minute: soakMinute,
  mixed: soakMixed,
  outage: soakOutage,
  publish: soakPublish,
  rolling: soakRolling,
  snippet: soakSnippet,
}

async function soakLake({rounds = 200, seed, elapsed}: Run): Promise<void> {
  console.log(`lake: ${rounds} rounds, seed ${seed}`)
  const {transactions, commits} = await runRounds({
    seed,
    rounds,
    progress: (at) => {
      if (at.rounds % 10 === 0)
        console.log(`${at.rounds} rounds, ${at.transactions} transactions, ${elapsed()}`)
    },
  })
  console.log(
    `nothing was lost: ${rounds} rounds, ${transactions} transactions acknowledged, ` +
      `${commits} commits by hand, ${elapsed()}`,
  )
}

async function soakSnippet({rounds = 500, seed, elapsed}: Run): Promise<void> {
  console.log(`snippet: ${rounds} publishes while a page is open, seed ${seed}`)
  const {before, after, calls} = await publishWhileOpen({
    seed,
    rounds,
    warmUp: Math.ceil(rounds / 10),
    progress: (at) => {
      if (at % 50 === 0) console.log(`${at} publishes, ${elapsed()}`)
    },
  })
  console.log(
    `the page always had the tools that were served: ${rounds} publishes, ${calls} calls, ` +
      `${before.listeners} and then ${after.listeners} listeners, ${before.nodes} and then ${after.nodes} nodes, ` +
      `a heap of ${before.heapBytes} and then ${after.heapBytes} bytes, ${elapsed()}`,
  )
}

async function soakMinute({elapsed}: Run): Promise<void> {
  console.log('minute: a publish while a browser holds configs of every age')
  for (const {way, longest} of await publishUnderCaches())
    console.log(`${way}: the old config was used for ${(longest / 1_000).toFixed(1)} s, ${elapsed()}`)
}

async function soakRolling({rounds = 10, elapsed}: Run): Promise<void> {
  console.log(`rolling: two replicas behind nginx, each replaced ${rounds} times`)
  const {requests, retried} = await replaceReplicas({
    times: rounds,
    progress: (at) => console.log(`${at} replaced, ${elapsed()}`),
  })
  console.log(`no request failed: ${requests} requests, ${retried} sent to a second replica, ${elapsed()}`)
}

async function main(): Promise<void> {
  const {values, positionals} = parseArgs({
    options: {
      rounds: {type: 'string'},
      minutes: {type: 'string'},
      sites: {type: 'string'},
      seed: {type: 'string'},
    },
    allowPositionals: true,
  })
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
  const sites = values.sites === undefined ? undefined : Number(values.sites)
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  for (const name of positionals.length > 0 ? positionals : ['mixed']) {
    const soak = soaks[name]
    if (soak === undefined)
      throw new Error(`"${name}" is not a soak: choose one of ${Object.keys(soaks).join(', ')}`)
    const started = performance.now()
    await soak({
      rounds,
      minutes,
      sites,
      seed,
      elapsed: () => `${Math.round((performance.now() - started) / 1000)} s`,
    })
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
