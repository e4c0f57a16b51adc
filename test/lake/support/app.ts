import type {TestContext} from 'node:test'
import {State} from '../../../content/state/state.ts'
import type {DocumentStore} from '../../../content/store.ts'
import {Access} from '../../../lake/access/access.ts'
import {type AppOptions, buildApp, type LakeApp} from '../../../lake/http/app.ts'
import {environment} from './documents.ts'
import {recordingLogger} from './log.ts'

/** The token of a program with an editor's permissions. */
export const token = 'a-token-for-tests'

/** The routes of a lake over a store, listening on their own port. */
export async function serve(
  context: TestContext,
  store: DocumentStore,
  options: AppOptions = {},
): Promise<LakeApp & {address: string; warnings: {msg: string}[]}> {
  const {logger, warnings} = recordingLogger()
  const access = new Access({state: State.inMemory(), apiTokens: [token]})
  const built = await buildApp({store, environment, access}, logger, options)
  const address = await built.app.listen({host: '127.0.0.1', port: 0})
  context.after(() => {
    // A request that never ends would keep the server open.
    built.app.server.closeAllConnections()
    return built.app.close()
  })
  return {...built, address, warnings}
}

/** Requests JSON with the token; `path` starts after the version. */
export async function ask(address: string, path: string, init: RequestInit = {}, version = 'v2025-02-19') {
  const headers = {authorization: `Bearer ${token}`, ...Object.fromEntries(new Headers(init.headers))}
  const response = await fetch(`${address}/${version}${path}`, {...init, headers})
  const body: unknown = await response.json()
  return {status: response.status, body, headers: response.headers}
}

/** The path of a query with its parameters as JSON. */
export function queryPath(query: string, params: Record<string, unknown> = {}, options = {}): string {
  const search = new URLSearchParams({query, ...options})
  for (const [name, value] of Object.entries(params)) search.append(`$${name}`, JSON.stringify(value))
  return `/data/query/production?${search}`
}
