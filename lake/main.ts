import {fileURLToPath} from 'node:url'
import closeWithGrace from 'close-with-grace'
import {createLog} from '../common/log/log.ts'
import {problemOf, TEXT_FILES} from '../schemas/index.ts'
import {REVIEW_RULES} from '../schemas/review.ts'
import {SITE_RULES} from '../schemas/siteRules.ts'
import {UNIQUE_RULES} from '../schemas/unique.ts'
import {buildForLake, studioDir} from '../studio/build/forLake.ts'
import {DEFAULT_SERVICE_ORIGIN, pageFor, readServiceOrigin} from '../studio/serviceOrigin.ts'
import {originOf} from './access/signInLink.ts'
import {manageAccounts} from './commands/accounts.ts'
import {runBackupCommand} from './commands/backup.ts'
import {commandHelp} from './commands/commandLine.ts'
import {openStateForCommand} from './commands/openState.ts'
import {startLake} from './lake.ts'
import {type LakeEnvironment, readLakeSettings} from './settings.ts'

/** Of the example: its layout, and what explains it to people and editors. Documents are in folders, one for each type. */
const WITHOUT_DOCUMENTS = [':(glob)*', ':(glob).*/**']

/** Timeout of a shutdown, in milliseconds. */
const CLOSE_DEADLINE = 10_000

/** `npm run lake` starts the lake; `npm run lake -- editor add …` runs a command instead. */
async function main(): Promise<void> {
  const settings = readLakeSettings(process.env)
  const words = process.argv.slice(2)
  if (words.length > 0) {
    const help = commandHelp(words)
    console.log(help ?? (await runCommand(words, settings)))
    // Not on standard output, which programs read: a person may have changed another lake than they meant.
    if (help === undefined && words[0] !== 'verify') console.error(`CONTENT_DIR: ${settings.contentDir}`)
    return
  }
  const {logger, health, flush} = createLog('handrail-lake', settings.port)
  const seedDir = fileURLToPath(new URL('../examples/shop/content', import.meta.url))
  const page = pageFor(readServiceOrigin(process.env) ?? DEFAULT_SERVICE_ORIGIN)
  const lake = await startLake({
    ...settings,
    seedDir,
    seedPaths: WITHOUT_DOCUMENTS,
    ...(await studioDir(settings)),
    studioPage: () => page,
    siteRules: SITE_RULES,
    textFiles: TEXT_FILES,
    uniqueRules: UNIQUE_RULES,
    reviewRules: REVIEW_RULES,
    documentRule: problemOf,
    logger,
    logHealth: health,
  })
  const studio = buildForLake(settings, logger)
  closeWithGrace({delay: CLOSE_DEADLINE, logger}, async ({err}) => {
    if (err) logger.fatal({err}, 'shutting down after an uncaught exception')
    await studio.close()
    await lake.close()
    await flush()
  })
  if (process.stdout.isTTY) {
    const link = await lake.signInLink()
    if (link !== undefined) logger.info(`one-time sign-in link for Studio: ${link}`)
  }
}

async function runCommand(words: readonly string[], settings: LakeEnvironment): Promise<string> {
  const copied = await runBackupCommand(words, settings)
  if (copied !== undefined) return copied
  const state = await openStateForCommand(settings.contentDir)
  try {
    const origin = settings.origin ?? (await originOf(state)) ?? `http://localhost:${settings.port}`
    return await manageAccounts(words, state, origin)
  } finally {
    state.close()
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
