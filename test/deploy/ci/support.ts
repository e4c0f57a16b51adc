import {execFile} from 'node:child_process'
import {readFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {text} from 'node:stream/consumers'
import type {TestContext} from 'node:test'
import {parse} from 'yaml'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {listen} from '../../support/network/ports.ts'

const CI = new URL('../../../deploy/ci/', import.meta.url)

/** Parses a file of `deploy/ci`. */
export async function recipe(name: string): Promise<JsonObject> {
  const value: unknown = parse(await readFile(new URL(name, CI), 'utf8'))
  if (!isJsonObject(value)) throw new Error(`${name} is not an object`)
  return value
}

/** What a step printed, and its exit code. */
export type Ran = {readonly code: number; readonly output: string}

/** Runs the script of a step as a runner does. */
export function runStep(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve) => {
    const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
    execFile('bash', shell, {cwd, env}, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code)
      resolve({code, output: stdout + stderr})
    })
  })
}

/** A request for a comment. */
type CommentRequest = {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly body: string
}

/** Who a token is, as GitHub says it and as GitLab does. */
export const BOT = {user: {login: 'github-actions[bot]'}, author: {id: 42}}

type Comment = {readonly id: number; readonly body: string; readonly user: object; readonly author: object}

/** A host of repositories that keeps comments, on 127.0.0.1. */
export async function commentHost(t: TestContext, first: readonly Comment[] = []) {
  const comments = [...first]
  const requests: CommentRequest[] = []
  const server = createServer(async (request, response) => {
    const {method = '', url = '', headers} = request
    const sent = await text(request)
    const value: unknown = sent === '' ? {} : JSON.parse(sent)
    const body = isJsonObject(value) && typeof value.body === 'string' ? value.body : ''
    const token = String(headers.authorization ?? headers['private-token'])
    const isQuestion = url === '/graphql' || url.endsWith('/user')
    if (method !== 'GET' && !isQuestion) requests.push({method, path: url, token, body})
    if (method === 'POST') comments.push({id: comments.length + 1, body, ...BOT})
    const status = token.endsWith('readonly') && method !== 'GET' ? 403 : 200
    response.writeHead(status, {'Content-Type': 'application/json'})
    const who = {...BOT.author, data: {viewer: BOT.user}}
    response.end(JSON.stringify(isQuestion ? who : method === 'GET' ? comments : {}))
  })
  return {requests, origin: `http://127.0.0.1:${await listen(server, t)}`}
}
