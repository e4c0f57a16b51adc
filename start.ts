import {fileURLToPath} from 'node:url'
import closeWithGrace from 'close-with-grace'
import {startLake} from './lake/lake.ts'
import {readLakeSettings} from './lake/settings.ts'
import {createLog} from './service/log.ts'
import {startService} from './service/service.ts'
import {readServiceSettings} from './service/settings.ts'

/** Milliseconds for requests in flight to end after a signal. */
const CLOSE_DEADLINE = 10_000

/** `npm start`: the whole house on one machine, in one process. */
async function start(): Promise<void> {
  const lakeSettings = readLakeSettings(process.env)
  const serviceSettings = readServiceSettings(process.env)
  const log = createLog('handrail')
  const running: {close(): Promise<void>}[] = []
  closeWithGrace({delay: CLOSE_DEADLINE, logger: log}, async ({signal, err}) => {
    if (err) log.fatal({err}, 'closing after an unforeseen error')
    else log.info({signal}, 'closing')
    for (const part of running.reverse()) await part.close()
  })

  const lake = await startLake({
    ...lakeSettings,
    seedDir: fileURLToPath(new URL('examples/shop/content', import.meta.url)),
    logger: log,
  })
  running.push(lake)
  log.info(`lake at ${lake.address}, content in ${lakeSettings.contentDir}`)

  const service = await startService({...serviceSettings, apiHost: lake.address}, log)
  running.push(service)
  log.info(`service at ${service.address}, try ${service.address}/api/sites/demo-shop/config?path=/products`)
}

try {
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
