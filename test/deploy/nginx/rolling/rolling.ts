import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {runBackupCommand} from '../../../../lake/commands/backup.ts'
import {promote} from '../../../../lake/commands/promote.ts'
import {buildSnippet} from '../../../../snippet/build/build.ts'
import {createRepository} from '../../../lake/support/git.ts'
import {trialToken} from '../../../schemas/agents/trialToken.ts'
import {LakeProcess} from '../../../soak/process.ts'
import {Violation} from '../../../soak/violation.ts'
import {createContentRepository} from '../../../support/content.ts'
import {type RunningNginx, startNginx} from '../../../support/network/nginx.ts'
import {freePort} from '../../../support/network/ports.ts'
import {hasRedis, type RunningRedis, startRedis} from '../../../support/network/redis.ts'
import {type Relay, startRelay} from '../../../support/network/relay.ts'
import {siteDocument, toolDocument} from '../../../support/shop.ts'
import {askUntil} from './load.ts'
import {ReplicaProcess} from './replica.ts'
import {BOTH, NEW, OLD, ONLY_NEW, sharesLimits, startReceiver, tryAtLake, tryAtService} from './secrets.ts'

/** Milliseconds of load before the first incident and after the last one. */
const PAUSE = 1_000

/** Passwords of Redis. */
const OLD_PASSWORD = 'old-password'
const NEW_PASSWORD = 'new-password'

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
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>
  startLake(settings: Readonly<Record<string, string>>): Promise<RunningLake>
}

/**
 * Operates the stage under load: a restore of the lake from a backup, a restart of Redis, an upgrade of the replicas with another
 * build of the snippet, the replacement of all secrets meanwhile, a crash, the loss of the lake with a replica that has nothing,
 * and the promotion of a standby. Returns the number of requests.
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
  receiver,
  startLake,
}: Stage): AsyncGenerator<void> {
  const [one, other] = replicas
  const backups = join(dir, 'backups')
  await runBackupCommand(['backup', '--to', backups], {contentDir, gitRemote: remote})
  await primary.lake.stop()
  const restoredDir = join(dir, 'restored.git')
  await runBackupCommand(['restore', '--from', backups], {contentDir: restoredDir, gitRemote: remote})
  const settings = {CONTENT_DIR: restoredDir, GIT_REMOTE: remote, LAKE_WEBHOOKS: receiver.url}
  const restored = await startLake({...settings, ...BOTH})
  name.target = restored.port
  for (const secrets of [OLD, NEW]) await tryAtLake(restored.port, secrets, true)
  await receiver.receive(restored.port, 'before')
  receiver.secret = NEW.LAKE_WEBHOOK_SECRET
  await receiver.receive(restored.port, 'after')
  yield
  await redis?.kill()
  await redis?.restart()
  yield
  const setPassword = (change: string) =>
    redis?.command('-a', OLD_PASSWORD, 'ACL', 'SETUSER', 'default', change)
  await setPassword(`>${NEW_PASSWORD}`)
  for (const replica of replicas) {
    await replica.stop()
    // The origin trial token is part of the snippet.
    const upgrade = {WEBMCP_ORIGIN_TRIAL_TOKEN: trialToken({}), ...redisSettings(redis, NEW_PASSWORD)}
    await replica.start({...upgrade, ...BOTH})
    for (const secrets of [OLD, NEW]) await tryAtService(replica.port, secrets, true)
    if (redis) await sharesLimits(replica.port, NEW)
    yield
  }
  await setPassword(`<${OLD_PASSWORD}`)
  await one.kill()
  await one.start(ONLY_NEW)
  await tryAtService(one.port, NEW, true)
  await tryAtService(one.port, OLD, false)
  if (redis) await sharesLimits(one.port, NEW)
  yield

  const standbyDir = join(dir, 'standby.git')
  const standby = await startLake({CONTENT_DIR: standbyDir, LAKE_FOLLOW: remote, ...ONLY_NEW})
  await tryAtLake(standby.port, NEW, true)
  await tryAtLake(standby.port, OLD, false)
  await restored.lake.kill(true)
  name.cut()
  await other.stop()
  await other.start({SNAPSHOT_DIR: join(dir, 'empty'), ...ONLY_NEW}, false)
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
  const primary = await startLake({CONTENT_DIR: repository.dir, GIT_REMOTE: remote, ...OLD})
  const name = await startRelay(primary.port)
  opened.defer(() => name.close())
  const redis = hasRedis() ? await startRedis(['--requirepass', OLD_PASSWORD]) : undefined
  opened.defer(() => redis?.dispose())
  const receiver = await startReceiver()
  opened.defer(() => receiver.close())
  const environment = {
    SANITY_API_HOST: `http://127.0.0.1:${name.port}`,
    ...OLD,
    TRUSTED_PROXIES: 'loopback',
    RATE_LIMIT_MAX: '1000000000',
    ...redisSettings(redis, OLD_PASSWORD),
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
  return {dir, contentDir: repository.dir, remote, primary, nginx, replicas, name, redis, receiver, startLake}
}

function redisSettings(redis: RunningRedis | undefined, password: string): NodeJS.ProcessEnv {
  return redis ? {REDIS_URL: `redis://:${password}@127.0.0.1:${redis.port}`} : {}
}
