import {benchLake} from './lake.ts'

/** `npm run bench -- lake`; without a name, all of them. */
const benchmarks: {readonly [name: string]: () => Promise<void>} = {lake: benchLake}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benchmarks)
for (const name of names) {
  const benchmark = benchmarks[name]
  if (benchmark === undefined) {
    console.error(`"${name}" is no benchmark: there are ${Object.keys(benchmarks).join(', ')}`)
    process.exitCode = 1
  } else await benchmark()
}
