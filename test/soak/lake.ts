import {pino} from 'pino'
import {startLake} from '../../lake/lake.ts'
import {readLakeSettings} from '../../lake/settings.ts'
import {REVIEW_RULES} from '../../schemas/review.ts'
import {SITE_RULES} from '../../schemas/siteRules.ts'
import {UNIQUE_RULES} from '../../schemas/unique.ts'
import {SOAK_FILES} from './files.ts'

const {FETCH_SECONDS} = process.env

// The lake without Studio, to be killed: a separate process that reports its address.
const lake = await startLake({
  ...readLakeSettings(process.env),
  ...(FETCH_SECONDS && {gitFetchSeconds: Number(FETCH_SECONDS)}),
  logger: pino({level: 'warn'}),
  reviewRules: REVIEW_RULES,
  siteRules: SITE_RULES,
  uniqueRules: UNIQUE_RULES,
  textFiles: SOAK_FILES,
})
console.log(JSON.stringify({address: lake.address}))
process.stdin.resume().once('end', () => process.exit(1))
process.once('SIGTERM', () => {
  lake.close().then(() => process.exit(0))
})
