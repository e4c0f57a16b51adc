import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {createClient, type SanityClient} from '@sanity/client'
import {recordOf} from '../../support/answers.ts'
import {createContentRepository} from '../../support/content.ts'
import {type FaultyNetwork, startFaultyNetwork} from '../../support/network.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {LakeProcess, token} from '../process.ts'
import {Visitor} from './visitor.ts'

/** A lake and a service, each a process of its own, joined by a network that can be broken. */
export type Stage = {
  network: FaultyNetwork
  /** Writes to the lake. */
  client: SanityClient
  serviceAddress: string
  /** Public identifiers of the sites; each has one tool, `tool-<number>`. */
  publicIds: readonly string[]
  /** Bytes of the service's memory. */
  memory(): Promise<number>
  /** Milliseconds that the service has spent on a processor. */
  processorTime(): Promise<number>
  close(): Promise<void>
}

const program = fileURLToPath(new URL('../../../service/main.ts', import.meta.url))

/** Milliseconds that a start may take. */
const PATIENCE = 60_000

export async function startStage(sites: number, environment: NodeJS.ProcessEnv = {}): Promise<Stage> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-soak-'))
  const numbers = [...Array(sites).keys()]
  const publicIds = numbers.map((number) => `public-${number}`)
  const repository = await createContentRepository(
    numbers.flatMap((number) => [
      siteDocument({_id: `site-${number}`, publicId: `public-${number}`}),
      toolDocument({_id: `tool-${number}`, site: {_type: 'reference', _ref: `site-${number}`}}),
    ]),
  )
  const lake = new LakeProcess({CONTENT_DIR: repository.dir, EDITORS_FILE: join(dir, 'editors.json')})
  const lakeAddress = await lake.address
  const network = await startFaultyNetwork(lakeAddress)
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      SANITY_API_HOST: network.address,
      SNAPSHOT_DIR: join(dir, 'snapshots'),
      RATE_LIMIT_MAX: '1000000000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const serviceAddress = await addressOf(child)
  const visitor = new Visitor(serviceAddress)
  for (const publicId of publicIds) await visitor.ask(publicId)
  visitor.close()
  return {
    network,
    client: createClient({
      projectId: 'local',
      dataset: 'production',
      apiVersion: '2025-02-19',
      useCdn: false,
      useProjectHostname: false,
      apiHost: lakeAddress,
      token,
    }),
    serviceAddress,
    publicIds,
    memory: () => residentBytes(child.pid),
    processorTime: () => processorTime(child.pid),
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await network.close()
      await lake.stop()
      await repository.dispose()
      await rm(dir, {recursive: true, force: true, maxRetries: 3})
    },
  }
}

/** The service says where it listens. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the service has no output')
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the service did not start in time')), PATIENCE)
    child.once('exit', () => reject(new Error('the service ended')))
    createInterface({input: child.stdout ?? process.stdin}).on('line', (line) => {
      const [, address] = /service at (http:[^,]+),/.exec(String(recordOf(JSON.parse(line)).msg)) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}

async function residentBytes(pid: number | undefined): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: user and system time, in hundredths of a second. */
async function processorTime(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
