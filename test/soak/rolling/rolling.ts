import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {createContentRepository} from '../../support/content.ts'
import {type RunningNginx, startNginx} from '../../support/network/nginx.ts'
import {freePort} from '../../support/network/ports.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {LakeProcess, SERVICE_TOKEN} from '../process.ts'
import {Violation} from '../violation.ts'
import {askUntil} from './load.ts'
import {ReplicaProcess} from './replica.ts'

export type RollingPlan = {
  /** How often each of the two replicas is replaced. */
  times: number
  progress?: (replaced: number) => void
}

/** Answered requests, and how many of them nginx retried on a second replica. */
export type Rolled = {requests: number; retried: number}

/** Milliseconds of load before the first replacement and after the last one. */
const PAUSE = 1_000

/**
 * Replaces two replicas behind nginx one by one under load: SIGTERM, the end of the process, a new process,
 * and the next replica when that is ready.
 * @throws Violation when a single request fails.
 */
export async function replaceReplicas(plan: RollingPlan): Promise<Rolled> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-rolling-'))
  const repository = await createContentRepository([siteDocument(), toolDocument()])
  const lake = new LakeProcess({CONTENT_DIR: repository.dir, EDITORS_FILE: join(dir, 'editors.json')})
  const environment = {
    SANITY_API_HOST: await lake.address,
    SANITY_API_TOKEN: SERVICE_TOKEN,
    SNAPSHOT_DIR: join(dir, 'snapshots'),
    TRUSTED_PROXIES: 'loopback',
    RATE_LIMIT_MAX: '1000000000',
  }
  const replicas = [
    new ReplicaProcess(await freePort(), environment),
    new ReplicaProcess(await freePort(), environment),
  ]
  let nginx: RunningNginx | undefined
  try {
    await Promise.all(replicas.map((replica) => replica.start()))
    nginx = await startNginx({services: replicas.map(({port}) => port)})
    return await replaceUnderLoad(nginx, replicas, plan)
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
  {times, progress}: RollingPlan,
): Promise<Rolled> {
  const stop = new AbortController()
  const asking = askUntil(nginx, '/api/sites/shop-public/config', stop.signal)
  // The load ends early only if it fails.
  asking.catch(() => stop.abort())
  try {
    await setTimeout(PAUSE)
    for (let replaced = 0; replaced < times * replicas.length && !stop.signal.aborted; replaced++) {
      const replica = replicas[replaced % replicas.length]
      await replica?.stop()
      await replica?.start()
      progress?.(replaced + 1)
    }
    await setTimeout(PAUSE)
  } finally {
    stop.abort()
  }
  const requests = await asking
  const retried = (await nginx.accesses()).filter(({upstreams}) => upstreams.length > 1).length
  return {requests, retried}
}
