import {readFileSync} from 'node:fs'
import {pino} from 'pino'
import {startLake} from '../../lake/lake.ts'
import {MACHINE_CLOCK} from '../../lake/releases/releaseSchedule.ts'
import {readLakeSettings} from '../../lake/settings.ts'
import {REVIEW_RULES} from '../../schemas/review.ts'
import {SITE_RULES} from '../../schemas/siteRules.ts'
import {UNIQUE_RULES} from '../../schemas/unique.ts'
import {SOAK_FILES} from './files.ts'

/** A file with the milliseconds that have passed, and by which the clock was set, in addition to those of the machine. */
const {CLOCK_FILE, FETCH_SECONDS} = process.env
const added = () => {
  const [passed = 0, set = 0] = CLOCK_FILE ? readFileSync(CLOCK_FILE, 'utf8').split(' ').map(Number) : []
  return {passed, set}
}

// The lake without Studio, to be killed: a separate process that reports its address.
const lake = await startLake({
  ...readLakeSettings(process.env),
  ...(FETCH_SECONDS && {gitFetchSeconds: Number(FETCH_SECONDS)}),
  logger: pino({level: 'warn'}),
  reviewRules: REVIEW_RULES,
  siteRules: SITE_RULES,
  uniqueRules: UNIQUE_RULES,
  textFiles: SOAK_FILES,
  clock: {
    now: () => MACHINE_CLOCK.now() + added().passed + added().set,
    monotonic: () => MACHINE_CLOCK.monotonic() + added().passed,
  },
})
console.log(JSON.stringify({address: lake.address}))
process.stdin.resume().once('end', () => process.exit(1))
process.once('SIGTERM', () => {
  lake.close().then(() => process.exit(0))
})
