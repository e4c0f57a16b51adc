import {fileURLToPath} from 'node:url'
import closeWithGrace from 'close-with-grace'
import {createLog} from './common/log/log.ts'
import {port, readSettings, refuseArguments} from './common/settings.ts'
import {startShop} from './examples/shop/shop.ts'
import {startLake} from './lake/lake.ts'
import {readLakeSettings} from './lake/settings.ts'
import {problemOf, TEXT_FILES} from './schemas/index.ts'
import {REVIEW_RULES} from './schemas/review.ts'
import {SITE_RULES} from './schemas/siteRules.ts'
import {UNIQUE_RULES} from './schemas/unique.ts'
import {startService} from './service/service.ts'
import {readServiceSettings} from './service/settings.ts'
import {buildForLake, studioDir} from './studio/build/forLake.ts'
import {DEFAULT_SERVICE_ORIGIN, pageFor, type RunningSite, readServiceOrigin} from './studio/serviceOrigin.ts'

/** The site of the demo content whose tools the shop's pages register. */
const DEMO_SITE = 'demo-shop'

/** Milliseconds that requests in flight have to finish after a signal. */
const CLOSE_DEADLINE = 10_000

/** Closes everything that runs, in reverse order of its start. */
const RUNNING = new AsyncDisposableStack()

/**
 * `npm start`: runs everything on one machine, in one process. Without a lake if the content is hosted
 * elsewhere.
 */
async function start(): Promise<void> {
  refuseArguments(process.argv.slice(2))
  const lakeSettings = readLakeSettings(process.env)
  const serviceSettings = readServiceSettings(process.env)
  const {SHOP_PORT} = readSettings(process.env, {SHOP_PORT: port({default: 3001})})
  let serviceOrigin = readServiceOrigin(process.env)
  const {logger: log, health: logHealth, flush} = createLog('handrail', serviceSettings.port)

  let {apiHost, apiToken} = serviceSettings
  let studio: string | undefined
  let running: RunningSite | undefined
  if (serviceSettings.projectId === 'local' && !process.env.SANITY_API_HOST) {
    const seedDir = fileURLToPath(new URL('examples/shop/content', import.meta.url))
    const studioPage = () => pageFor(serviceOrigin ?? DEFAULT_SERVICE_ORIGIN, running)
    const served = await studioDir(lakeSettings)
    const lake = await startLake({
      ...lakeSettings,
      seedDir,
      ...served,
      studioPage,
      siteRules: SITE_RULES,
      textFiles: TEXT_FILES,
      uniqueRules: UNIQUE_RULES,
      reviewRules: REVIEW_RULES,
      documentRule: problemOf,
      logger: log,
      logHealth,
    })
    RUNNING.defer(() => lake.close())
    const building = buildForLake(lakeSettings, log)
    RUNNING.defer(() => building.close())
    apiHost = lake.address
    apiToken = lake.serviceToken
    if (served.studioDir !== undefined) studio = `http://localhost:${new URL(lake.address).port}`
    const link = process.stdout.isTTY && (await lake.signInLink())
    if (link) studio = `${link} (signs you in once)`
    // A log is kept, and a link is a key.
    else if (!process.stdout.isTTY && studio)
      studio += ' (npm run lake -- editor link prints a link that signs you in)'
  }
  const service = await startService({...serviceSettings, apiHost, apiToken}, log, {logHealth})
  RUNNING.defer(() => service.close())
  serviceOrigin ??= service.address
  const shop = await startShop({
    host: '127.0.0.1',
    port: SHOP_PORT,
    serviceOrigin,
    publicId: DEMO_SITE,
    logger: log,
  })
  RUNNING.defer(() => shop.close())
  running = {publicId: DEMO_SITE, address: shop.address}

  closeWithGrace({delay: CLOSE_DEADLINE, logger: log}, async ({signal, err}) => {
    if (err) log.fatal({err}, 'shutting down after an uncaught exception')
    else log.info({signal}, 'closing')
    await RUNNING.disposeAsync()
    await flush()
  })
  log.info(`ready: the demo shop, with the panel of its tools: ${shop.address}`)
  if (studio !== undefined) log.info(`ready: Studio, where you edit the tools: ${studio}`)
  const example = `${service.address}/api/sites/${DEMO_SITE}/config?path=/products`
  log.info(`ready: the service, as a page requests it: ${example}`)
}

try {
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
  await RUNNING.disposeAsync()
}
