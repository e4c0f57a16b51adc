import {hash} from 'node:crypto'
import {Worker} from 'node:worker_threads'
import {LRUCache} from 'lru-cache'
import {Mutex} from '../../common/mutex.ts'
import type {SiteDocument} from '../upstream/siteDocument.ts'
import {BrokenRule, type ReadTool, readTool} from './readTool.ts'
import type {ToolResult} from './readToolWorker.ts'

type ToolDocument = SiteDocument['tools'][number]

/**
 * Characters of a tool up to which it is read on the event loop. The parsers of scripts and JSON Schema take up to the
 * square of a text's length: 10 ms for the worst text of 5,000 characters, and more than a second for one of 100,000.
 */
const SHORT = 5_000

/** Milliseconds that the worker thread may take for one tool. The worst that is known take less than two seconds. */
const TIMEOUT = 10_000

/** Heap of the worker thread, in MB: fifty times what the syntax tree of an ordinary long script takes. */
const WORKER_HEAP_MB = 64

/** Milliseconds without a long tool after which the worker thread ends: nearly all sites have none. */
const IDLE_TIMEOUT = 30_000

/** Problems of long tools that are remembered, so that a publish of another tool does not read these again. */
const MAX_PROBLEMS = 1_000

const problems = new LRUCache<string, {field: string; problem: string}>({max: MAX_PROBLEMS})
const mutex = new Mutex()
let worker: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined

/**
 * Reads a tool: at once where its texts are short, otherwise in a worker thread, one after the other, so that the event
 * loop serves other sites meanwhile.
 * @param known what the same revision was served as before.
 * @throws BrokenRule
 */
export async function readToolFairly(tool: ToolDocument, known: string | undefined): Promise<ReadTool> {
  if (known !== undefined || isShort(tool)) return readTool(tool, known)
  const digest = hash('sha256', JSON.stringify(tool))
  const result = problems.get(digest) ?? (await mutex.run(() => readInWorker(tool)))
  if ('read' in result) return result.read
  problems.set(digest, result)
  throw new BrokenRule(result.field, result.problem)
}

function isShort({executeJs, inputSchema, exposedTo}: ToolDocument): boolean {
  let left = SHORT
  for (const text of [executeJs, inputSchema, ...listOf(exposedTo)]) {
    // Of a value that is no text, the rules say so at once.
    left -= typeof text === 'string' ? text.length : 0
    if (left < 0) return false
  }
  return true
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

async function readInWorker(tool: ToolDocument): Promise<ToolResult> {
  clearTimeout(idleTimer)
  worker ??= startWorker()
  const running = worker
  // A worker that waits must not keep the process alive, one that reads must.
  running.ref()
  try {
    return await resultFrom(running, tool)
  } catch (error) {
    worker = undefined
    await running.terminate()
    const problem = problemOf(error)
    if (problem === undefined) throw error
    return {field: 'executeJs', problem}
  } finally {
    running.unref()
    idleTimer = setTimeout(stopIdleWorker, IDLE_TIMEOUT).unref()
  }
}

function startWorker(): Worker {
  return new Worker(new URL('./readToolWorker.ts', import.meta.url), {
    resourceLimits: {maxOldGenerationSizeMb: WORKER_HEAP_MB},
  })
}

function stopIdleWorker(): void {
  void worker?.terminate()
  worker = undefined
}

async function resultFrom(running: Worker, tool: ToolDocument): Promise<ToolResult> {
  const {promise, resolve, reject} = Promise.withResolvers<ToolResult>()
  const timer = setTimeout(() => reject(new TooSlow()), TIMEOUT)
  const ended = () => reject(new Error('The worker thread that reads long tools ended unexpectedly.'))
  running.once('message', resolve).once('error', reject).once('exit', ended)
  try {
    running.postMessage(tool)
    return await promise
  } finally {
    clearTimeout(timer)
    running.off('message', resolve).off('error', reject).off('exit', ended)
  }
}

class TooSlow extends Error {}

function problemOf(error: unknown): string | undefined {
  if (error instanceof TooSlow)
    return `The tool takes more than ${TIMEOUT / 1_000} seconds to read: shorten its script and its input schema.`
  const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory
    ? 'The tool takes too much memory to read: shorten its script and its input schema.'
    : undefined
}
