import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {request} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type Report, type Table, tableText} from '../report.ts'
import type {Run} from '../run.ts'
import {type Contestant, compete, type Pace, type Result} from './contest.ts'
import {coresOfThisMachine} from './cores.ts'
import {startLoad} from './load.ts'
import {startNginx} from './nginx.ts'
import {addressIn, startProgram} from './program.ts'
import {type Server, startBenchedService} from './service.ts'
import {publicIdOf} from './siteName.ts'

const CONNECTIONS = 32

export async function benchHttp(run: Run): Promise<Report> {
  const cores = coresOfThisMachine()
  if (!cores) console.log('not pinned: there is one core alone, or no taskset (util-linux)')
  const load = await startLoad(cores, run)
  const service = await startBenchedService(cores, run)
  const folder = await mkdtemp(join(tmpdir(), 'handrail-bench-'))
  run.cleanup.defer(() => rm(folder, {recursive: true, force: true}))
  const pathOf = (bytes: number) => `/api/sites/${publicIdOf({tools: 10, bytes})}/config?path=/`
  const tags = new Map<string, string>()
  for (const [name, path] of [
    ['10kb', pathOf(10_240)],
    ['100kb', pathOf(102_400)],
    ['404', '/api/sites/nobody-knows-it/config?path=/'],
  ] as const) {
    const {body, etag} = await answerOf(`${service.address}${path}`)
    await writeFile(join(folder, `${name}.json`), body)
    tags.set(name, etag)
  }
  const baseline = async (name: string, program: string): Promise<Server> => {
    const {pid, greeting} = await startProgram(program, {args: [folder], role: 'server', cores}, run)
    return {name, pid, address: addressIn(greeting)}
  }
  const fastify = await baseline('bare Fastify', 'fastify')
  const node = await baseline('node:http', 'node')
  const nginx = await startNginx(folder, cores, run)
  const pace: Pace = run.quick
    ? {rounds: 5, milliseconds: 400, connections: CONNECTIONS}
    : {rounds: 7, milliseconds: 1_000, connections: CONNECTIONS}

  const tables: Table[] = []
  const contest = async (
    title: string,
    contestants: readonly (Contestant | undefined)[],
    target?: number,
  ) => {
    if (run.only !== undefined && !title.includes(run.only)) return
    const present = contestants.filter((contestant) => contestant !== undefined)
    const table = {title, rows: (await compete(present, pace, load)).map((result) => rowOf(result, target))}
    console.log(`\n${tableText(table)}`)
    tables.push(table)
  }

  for (const [title, name, bytes, target] of [
    ['200 at 10 KB', '10kb', 10_240, 1.25],
    ['200 at 100 KB', '100kb', 102_400, 1.15],
  ] as const) {
    const ask = (server: Server | undefined, path: string, headers = {}) =>
      server && {
        name: server.name,
        server,
        target: {address: server.address, path, status: 200, headers},
      }
    await contest(
      title,
      [
        ask(fastify, `/${name}.json`),
        ask(node, `/${name}.json`),
        ask(nginx, `/${name}.json`),
        ask(service, pathOf(bytes)),
      ],
      target,
    )
  }
  const nginxTag = nginx && (await answerOf(`${nginx.address}/10kb.json`)).etag
  const revalidate = (server: Server | undefined, path: string, tag: string | undefined) =>
    server &&
    tag && {
      name: server.name,
      server,
      target: {address: server.address, path, status: 304, headers: {'if-none-match': tag}},
    }
  await contest(
    '304',
    [
      revalidate(fastify, '/10kb.json', '"bench"') || undefined,
      revalidate(node, '/10kb.json', '"bench"') || undefined,
      revalidate(nginx, '/10kb.json', nginxTag) || undefined,
      revalidate(service, pathOf(10_240), tags.get('10kb')) || undefined,
    ],
    1.25,
  )
  return {title: 'HTTP', method: [], tables}
}

function rowOf({name, cpu, ratio, requestsPerSecond, p50, p99, memory}: Result, target: number | undefined) {
  return {
    server: name,
    'CPU µs': cpu,
    ratio,
    ...(target === undefined
      ? {}
      : {target: name === 'service' ? `≤ ${target}: ${ratio <= target ? 'met' : 'not met'}` : ''}),
    'requests/s': requestsPerSecond,
    'p50 ms': p50 / 1_000,
    'p99 ms': p99 / 1_000,
    'RSS MiB': memory / 2 ** 20,
  }
}

type Answer = {status: number; etag: string; body: Buffer}

function answerOf(url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, {agent: false, timeout: 10_000}, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          etag: answer.headers.etag ?? '',
          body: Buffer.concat(chunks),
        }),
      )
    })
    asking.on('timeout', () => asking.destroy(new Error('no answer')))
    asking.on('error', reject)
    asking.end()
  })
}
