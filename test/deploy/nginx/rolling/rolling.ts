import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {runBackupCommand} from '../../../../lake/backup/command.ts'
import {promote} from '../../../../lake/promote.ts'
import {buildSnippet} from '../../../../snippet/build/build.ts'
import {createRepository} from '../../../lake/support/git.ts'
import {trialToken} from '../../../schemas/agents/trialToken.ts'
import {LakeProcess, SERVICE_TOKEN} from '../../../soak/process.ts'
import {Violation} from '../../../soak/violation.ts'
import {createContentRepository} from '../../../support/content.ts'
import {type RunningNginx, startNginx} from '../../../support/network/nginx.ts'
import {freePort} from '../../../support/network/ports.ts'
import {hasRedis, type RunningRedis, startRedis} from '../../../support/network/redis.ts'
import {type Relay, startRelay} from '../../../support/network/relay.ts'
import {siteDocument, toolDocument} from '../../../support/shop.ts'
import {askUntil} from './load.ts'
import {ReplicaProcess} from './replica.ts'

/** Milliseconds of load before the first incident and after the last one. */
const PAUSE = 1_000

/** The token of the service after it was replaced. */
const NEW_TOKEN = 'a-new-token-for-the-service'

type RunningLake = {readonly lake: LakeProcess; readonly port: number}

/** Two replicas behind nginx, lakes behind a name that moves, and Redis if this machine has it. */
type Stage = {
  readonly dir: string
  readonly contentDir: string
  /** The Git remote of the lakes. */
  readonly remote: string
  readonly primary: RunningLake
  readonly nginx: RunningNginx
  readonly replicas: readonly [ReplicaProcess, ReplicaProcess]
  /** The address of the lake, as the replicas know it. */
  readonly name: Relay
  readonly redis: RunningRedis | undefined
  startLake(settings: Readonly<Record<string, string>>): Promise<RunningLake>
}

/**
 * Operates the stage under load: a restore of the lake from a backup with another token for the service, an upgrade of the
 * replicas with that token and another build of the snippet, a crash, a restart of Redis, the loss of the lake with a
 * replica that has nothing, and the promotion of a standby. Returns the number of requests.
 * @throws Violation when a single request fails.
 */
export async function operateUnderLoad(): Promise<number> {
  await using opened = new AsyncDisposableStack()
  const stage = await openStage(opened)
  const stop = new AbortController()
  const {hash} = await buildSnippet()
  const asking = askUntil(stage.nginx, '/api/sites/shop-public/config', `/snippet.${hash}.js`, stop.signal)
  // The load ends early only if it fails.
  asking.catch(() => stop.abort())
  try {
    await setTimeout(PAUSE) // load before the first incident
    for await (const _ of incidents(stage)) if (stop.signal.aborted) break
    await setTimeout(PAUSE) // load after the last one
  } finally {
    stop.abort()
  }
  // Awaited here, so that everything is closed afterwards.
  return await asking.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Violation(`${reason}\nnginx said ${stage.nginx.complaints()}`)
  })
}

async function* incidents({
  dir,
  contentDir,
  remote,
  primary,
  replicas,
  name,
  redis,
  startLake,
}: Stage): AsyncGenerator<void> {
  const [one, other] = replicas
  const backups = join(dir, 'backups')
  await runBackupCommand(['backup', '--to', backups], {contentDir, gitRemote: remote})
  await primary.lake.stop()
  const restoredDir = join(dir, 'restored.git')
  await runBackupCommand(['restore', '--from', backups], {contentDir: restoredDir, gitRemote: remote})
  const tokens = {SANITY_API_TOKEN: NEW_TOKEN, SANITY_API_TOKEN_PREVIOUS: SERVICE_TOKEN}
  const restored = await startLake({CONTENT_DIR: restoredDir, GIT_REMOTE: remote, ...tokens})
  name.target = restored.port
  yield
  for (const replica of replicas) {
    await replica.stop()
    // The origin trial token is part of the snippet.
    await replica.start({WEBMCP_ORIGIN_TRIAL_TOKEN: trialToken({}), SANITY_API_TOKEN: NEW_TOKEN})
    yield
  }
  await one.kill()
  await one.start()
  yield
  await redis?.kill()
  await redis?.restart()
  yield

  const standbyDir = join(dir, 'standby.git')
  const standby = await startLake({CONTENT_DIR: standbyDir, LAKE_FOLLOW: remote, SANITY_API_TOKEN: NEW_TOKEN})
  await restored.lake.kill(true)
  name.cut()
  await other.stop()
  await other.start({SNAPSHOT_DIR: join(dir, 'empty')}, false)
  yield
  await promote({contentDir: standbyDir, gitRemote: remote, follows: true})
  name.target = standby.port
  await other.until('/readyz', 200)
  // Only upstream knows whether there is such a site.
  for (const replica of replicas) await replica.until('/api/sites/new-site/config', 404)
  yield
}

async function openStage(opened: AsyncDisposableStack): Promise<Stage> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-operations-'))
  opened.defer(() => rm(dir, {recursive: true, force: true, maxRetries: 3}))
  const repository = await createContentRepository([siteDocument(), toolDocument()])
  opened.defer(() => repository.dispose())
  const remote = join(dir, 'remote.git')
  await createRepository(remote)

  const startLake: Stage['startLake'] = async (settings) => {
    const lake = new LakeProcess(settings)
    opened.defer(() => lake.kill(true))
    return {lake, port: Number(new URL(await lake.address).port)}
  }
  const primary = await startLake({CONTENT_DIR: repository.dir, GIT_REMOTE: remote})
  const name = await startRelay(primary.port)
  opened.defer(() => name.close())
  const redis = hasRedis() ? await startRedis() : undefined
  opened.defer(() => redis?.dispose())
  const environment = {
    SANITY_API_HOST: `http://127.0.0.1:${name.port}`,
    SANITY_API_TOKEN: SERVICE_TOKEN,
    TRUSTED_PROXIES: 'loopback',
    RATE_LIMIT_MAX: '1000000000',
    ...(redis && {REDIS_URL: redis.url}),
  }
  const replicaWith = async (folder: string) => {
    const replica = new ReplicaProcess(await freePort(), {...environment, SNAPSHOT_DIR: join(dir, folder)})
    opened.defer(() => replica.kill())
    await replica.start()
    return replica
  }
  const replicas = await Promise.all([replicaWith('a'), replicaWith('b')])
  const nginx = await startNginx({services: replicas.map(({port}) => port)})
  opened.defer(() => nginx.close())
  return {dir, contentDir: repository.dir, remote, primary, nginx, replicas, name, redis, startLake}
}
