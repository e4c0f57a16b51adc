import {fileURLToPath} from 'node:url'
import closeWithGrace from 'close-with-grace'
import {welcomeFirstEditor} from './lake/access/first-editor.ts'
import {startLake} from './lake/lake.ts'
import {readLakeSettings} from './lake/settings.ts'
import {createLog} from './service/log.ts'
import {startService} from './service/service.ts'
import {readServiceSettings} from './service/settings.ts'
import {buildForLake, studioDir} from './studio/build/forLake.ts'

/** Milliseconds for requests in flight to end after a signal. */
const CLOSE_DEADLINE = 10_000

const running: {close(): Promise<void>}[] = []

/** Closes what runs, in the order opposite to its start. */
async function closeAll(): Promise<void> {
  for (let part = running.pop(); part; part = running.pop()) await part.close()
}

/** `npm start`: the whole house on one machine, in one process. Content that lives elsewhere needs no lake here. */
async function start(): Promise<void> {
  const lakeSettings = readLakeSettings(process.env)
  const serviceSettings = readServiceSettings(process.env)
  const log = createLog('handrail')

  let {apiHost} = serviceSettings
  let link: string | undefined
  if (serviceSettings.projectId === 'local' && !process.env.SANITY_API_HOST) {
    const seedDir = fileURLToPath(new URL('examples/shop/content', import.meta.url))
    const lake = await startLake({...lakeSettings, seedDir, ...studioDir(), logger: log})
    running.push(lake, buildForLake(lakeSettings, log))
    apiHost = lake.address
    if (process.stdout.isTTY) link = await welcomeFirstEditor(lakeSettings.editorsFile, lake.address)
  }
  const service = await startService({...serviceSettings, apiHost}, log)
  running.push(service)

  closeWithGrace({delay: CLOSE_DEADLINE, logger: log}, async ({signal, err}) => {
    if (err) log.fatal({err}, 'closing after an unforeseen error')
    else log.info({signal}, 'closing')
    await closeAll()
  })
  if (link !== undefined) log.info(`sign in to Studio, once: ${link}`)
  log.info(`ready: try ${service.address}/api/sites/demo-shop/config?path=/products`)
}

try {
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
  await closeAll()
}
