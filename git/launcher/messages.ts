import {isJsonObject} from '../../common/json.ts'
import type {GitCommand, GitEnd} from './spawnGit.ts'

/** What the lake asks of the process that runs Git. `run` numbers the commands. */
export type Request =
  | {readonly kind: 'run'; readonly run: number; readonly command: GitCommand}
  | {readonly kind: 'stop'; readonly run: number}

/** What that process reports of a command. Exactly one `end` or `error` is the last of each. */
export type Report =
  | {readonly kind: 'data'; readonly run: number; readonly data: Buffer}
  | {readonly kind: 'end'; readonly run: number; readonly end: GitEnd}
  | {readonly kind: 'error'; readonly run: number; readonly reason: string}

/** Reads a message from the lake; undefined if it is something else. */
export function parseRequest(message: unknown): Request | undefined {
  if (!isJsonObject(message) || typeof message.run !== 'number') return undefined
  const {kind, run} = message
  if (kind === 'stop') return {kind, run}
  const command = kind === 'run' ? parseCommand(message.command) : undefined
  return command && {kind: 'run', run, command}
}

/** Reads a message from the process that runs Git; undefined if it is something else. */
export function parseReport(message: unknown): Report | undefined {
  if (!isJsonObject(message) || typeof message.run !== 'number') return undefined
  const {kind, run} = message
  if (kind === 'data' && Buffer.isBuffer(message.data)) return {kind, run, data: message.data}
  if (kind === 'error' && typeof message.reason === 'string') return {kind, run, reason: message.reason}
  const end = kind === 'end' ? parseEnd(message.end) : undefined
  return end && {kind: 'end', run, end}
}

function parseCommand(value: unknown): GitCommand | undefined {
  if (!isJsonObject(value)) return undefined
  const {directory, args, env, input} = value
  if (typeof directory !== 'string' || !isTexts(args) || !isEnvironment(env)) return undefined
  return {directory, args, env, ...(typeof input === 'string' && {input})}
}

function parseEnd(value: unknown): GitEnd | undefined {
  if (!isJsonObject(value)) return undefined
  const {code, signal, stderr} = value
  if (typeof code !== 'number' && code !== null) return undefined
  if (typeof signal !== 'string' && signal !== null) return undefined
  return typeof stderr === 'string' ? {code, signal, stderr} : undefined
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const isEnvironment = (value: unknown): value is NodeJS.ProcessEnv =>
  isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string' || each === undefined)
