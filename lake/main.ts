import {fileURLToPath} from 'node:url'
import closeWithGrace from 'close-with-grace'
import {pino} from 'pino'
import {buildForLake, studioDir} from '../studio/build/forLake.ts'
import {startLake} from './lake.ts'
import {readLakeSettings} from './settings.ts'

/** Milliseconds that a shutdown may take. */
const closeDeadline = 10_000

/** `npm run lake`: the lake alone. */
async function main(): Promise<void> {
  const settings = readLakeSettings(process.env)
  const logger = pino(
    process.stdout.isTTY
      ? {transport: {target: 'pino-pretty', options: {ignore: 'pid,hostname', translateTime: 'HH:MM:ss'}}}
      : {},
  )
  const seedDir = fileURLToPath(new URL('../examples/shop/content', import.meta.url))
  const lake = await startLake({...settings, seedDir, ...studioDir(), logger})
  const studio = buildForLake(settings, logger)
  closeWithGrace({delay: closeDeadline, logger}, async ({err}) => {
    if (err) logger.fatal({err}, 'closing after an unforeseen error')
    await studio.close()
    await lake.close()
  })
  logger.info(`lake at ${lake.address}, content in ${settings.contentDir}`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
