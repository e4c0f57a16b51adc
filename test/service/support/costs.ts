import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {Client} from 'undici'

import type {Reading} from './costProbe.ts'

/** Average cost of one request to a server. */
export type Cost = {
  /** Bytes allocated, on and off the heap. */
  bytes: number
  /**
   * Objects given to the event loop, by kind, rounded to whole numbers: this drops work unrelated to
   * requests.
   */
  resources: Record<string, number>
}

export type MeasuredServer = {
  address: string
  /**
   * Sends a request repeatedly over one connection.
   */
  costOf(path: string, status: number, headers: Record<string, string>): Promise<Cost>
  end(): Promise<void>
}

/** Requests before a reading, so that caches and hidden classes settle, and between two readings. */
const WARM_UP = 500
const REQUESTS = 1_000

/** Readings without a garbage collection in between: memory that it frees would be missing. */
const TRIES = 10

/** Timeout in milliseconds for each start, reply of the probe and run of requests. */
const PATIENCE = 60_000

/**
 * V8's optimiser removes allocations, and not at the same moment in each run. Unoptimised code allocates what
 * is written. The young generation has room for all requests between two readings.
 */
const FLAGS = [
  '--no-opt',
  '--no-maglev',
  '--expose-gc',
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
]

const probe = new URL('./costProbe.ts', import.meta.url).href

/** Starts a program with a probe inside. The program tells its parent where it listens. */
export async function startMeasured(
  program: URL,
  args: string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<MeasuredServer> {
  const child = spawn(process.execPath, [...FLAGS, '--import', probe, fileURLToPath(program), ...args], {
    env: {...process.env, ...environment},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exit = once(child, 'exit')
  const end = async () => {
    child.kill('SIGKILL')
    await exit
  }
  try {
    const address = String(await message(child))
    return {address, costOf: (...request) => costOf(child, address, ...request), end}
  } catch (error) {
    await end()
    throw error
  }
}

async function costOf(
  child: ChildProcess,
  address: string,
  path: string,
  status: number,
  headers: Record<string, string>,
): Promise<Cost> {
  const send = async (requests: number) => {
    const client = new Client(address, {headersTimeout: PATIENCE})
    for (let left = requests; left > 0; left -= 1) {
      const {statusCode, body} = await client.request({method: 'GET', path, headers})
      await body.arrayBuffer()
      if (statusCode !== status) throw new Error(`returned ${statusCode} instead of ${status}`)
    }
    await client.destroy()
  }
  await send(WARM_UP)
  const bytes = await bytesOf(child, () => send(REQUESTS))

  const before = await reading(child, 'watch the event loop')
  await send(REQUESTS)
  const after = await reading(child, 'stop watching')
  const resources = Object.entries(after.resources).map(([kind, made]) => {
    return [kind, Math.round((made - (before.resources[kind] ?? 0)) / REQUESTS)]
  })
  return {bytes, resources: Object.fromEntries(resources)}
}

/** Bytes per request, from a reading before and one after. */
async function bytesOf(child: ChildProcess, send: () => Promise<void>): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    await reading(child, 'collect garbage')
    const before = await reading(child, 'look')
    await send()
    const after = await reading(child, 'look')
    if (after.collections === before.collections) return (after.bytes - before.bytes) / REQUESTS
  }
  throw new Error(`garbage was collected during each of ${TRIES} readings`)
}

async function reading(child: ChildProcess, question: string): Promise<Reading> {
  child.send(question)
  const answer = await message(child)
  if (isReading(answer)) return answer
  throw new Error(`the probe said ${JSON.stringify(answer)}`)
}

function isReading(value: unknown): value is Reading {
  return typeof value === 'object' && value !== null && 'collections' in value
}

/** The next message of the process. @throws if it exits instead. */
async function message(child: ChildProcess): Promise<unknown> {
  const heard = new AbortController()
  const signal = AbortSignal.any([heard.signal, AbortSignal.timeout(PATIENCE)])
  const gone = once(child, 'exit', {signal}).then(() => {
    throw new Error('the measured server ended')
  })
  try {
    const [text]: unknown[] = await Promise.race([once(child, 'message', {signal}), gone])
    return text
  } finally {
    gone.catch(() => {})
    heard.abort()
  }
}
