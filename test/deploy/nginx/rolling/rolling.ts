import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {runBackupCommand} from '../../../../lake/backup/command.ts'
import {buildSnippet} from '../../../../snippet/build/build.ts'
import {trialToken} from '../../../schemas/agents/trialToken.ts'
import {LakeProcess, SERVICE_TOKEN} from '../../../soak/process.ts'
import {Violation} from '../../../soak/violation.ts'
import {createContentRepository} from '../../../support/content.ts'
import {type RunningNginx, startNginx} from '../../../support/network/nginx.ts'
import {freePort} from '../../../support/network/ports.ts'
import {siteDocument, toolDocument} from '../../../support/shop.ts'
import {askUntil} from './load.ts'
import {ReplicaProcess} from './replica.ts'

/** Milliseconds of load before the first replacement and after the last one. */
const PAUSE = 1_000

/** The token of the service after it was replaced. */
const NEW_TOKEN = 'a-new-token-for-the-service'

/**
 * Under load, restores the lake from a backup to another folder, with another token for the service, and replaces two replicas
 * behind nginx one by one: SIGTERM, the end of the process, a new process with another build of the snippet and the new token, and the
 * next replica when that is ready. Returns the number of requests.
 * @throws Violation when a single request fails.
 */
export async function replaceReplicas(): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-rolling-'))
  const repository = await createContentRepository([siteDocument(), toolDocument()])
  const lakePort = String(await freePort())
  let lake = new LakeProcess({CONTENT_DIR: repository.dir, LAKE_PORT: lakePort})
  const restoreLake = async () => {
    const run = (contentDir: string, ...words: string[]) =>
      runBackupCommand([...words, join(dir, 'backups')], {contentDir, gitRemote: undefined})
    await run(repository.dir, 'backup', '--to')
    await lake.stop()
    const CONTENT_DIR = join(dir, 'content.git')
    await run(CONTENT_DIR, 'restore', '--from')
    const tokens = {SANITY_API_TOKEN: NEW_TOKEN, SANITY_API_TOKEN_PREVIOUS: SERVICE_TOKEN}
    lake = new LakeProcess({CONTENT_DIR, LAKE_PORT: lakePort, ...tokens})
    await lake.address
  }
  const environment = {
    SANITY_API_HOST: await lake.address,
    SANITY_API_TOKEN: SERVICE_TOKEN,
    TRUSTED_PROXIES: 'loopback',
    RATE_LIMIT_MAX: '1000000000',
  }
  const replicas = await Promise.all(
    ['a', 'b'].map(
      async (name) => new ReplicaProcess(await freePort(), {...environment, SNAPSHOT_DIR: join(dir, name)}),
    ),
  )
  let nginx: RunningNginx | undefined
  try {
    await Promise.all(replicas.map((replica) => replica.start()))
    nginx = await startNginx({services: replicas.map(({port}) => port)})
    return await replaceUnderLoad(nginx, replicas, restoreLake)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Violation(`${reason}\nnginx said ${nginx?.complaints()}`)
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()))
    await nginx?.close()
    await lake.stop()
    await repository.dispose()
    await rm(dir, {recursive: true, force: true, maxRetries: 3})
  }
}

async function replaceUnderLoad(
  nginx: RunningNginx,
  replicas: readonly ReplicaProcess[],
  restoreLake: () => Promise<void>,
): Promise<number> {
  const stop = new AbortController()
  const {hash} = await buildSnippet()
  const asking = askUntil(nginx, '/api/sites/shop-public/config', `/snippet.${hash}.js`, stop.signal)
  // The load ends early only if it fails.
  asking.catch(() => stop.abort())
  try {
    await setTimeout(PAUSE)
    await restoreLake()
    for (const replica of replicas) {
      if (stop.signal.aborted) break
      await replica.stop()
      // The token is part of the snippet.
      await replica.start({WEBMCP_ORIGIN_TRIAL_TOKEN: trialToken({}), SANITY_API_TOKEN: NEW_TOKEN})
    }
    await setTimeout(PAUSE)
  } finally {
    stop.abort()
  }
  return asking
}
