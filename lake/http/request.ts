import type {FastifyRequest} from 'fastify'
import {pathParam} from '../../common/http/pathParam.ts'
import {isJsonObject, type JsonObject} from '../../common/json.ts'
import {isDeeperThan} from '../../content/size.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {Access} from '../access/access.ts'
import type {Principal} from '../access/principal.ts'
import type {QueryEnvironment} from '../query/run.ts'
import {refuse} from './errors.ts'

/** Maximum nesting of a query's parameters. A document has at most 64 levels. */
const MAX_LEVELS = 200

/** A query parameter; the first value if there are several. */
export function searchParam(request: FastifyRequest, name: string): string | undefined {
  const {query} = request
  const value: unknown = isJsonObject(query) ? query[name] : undefined
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : undefined
}

/** The value of a boolean query parameter; `fallback` if it is missing. */
export function flag(request: FastifyRequest, name: string, fallback: boolean): boolean {
  const value = searchParam(request, name)
  return value === undefined ? fallback : value !== 'false'
}

/**
 * The parameters of a GROQ query: `$name=<JSON>` each.
 * @throws HttpError 400
 */
export function groqParams(request: FastifyRequest): JsonObject {
  const {query} = request
  // Without a prototype, which `$__proto__` could replace.
  const params: Record<string, unknown> = Object.create(null)
  for (const name of isJsonObject(query) ? Object.keys(query) : []) {
    if (!name.startsWith('$')) continue
    try {
      params[name.slice(1)] = JSON.parse(searchParam(request, name) ?? '')
    } catch {
      throw refuse.badRequest(`Unable to parse value of "${name}": it must be JSON`)
    }
  }
  return shallow(params)
}

/**
 * Checks that parameters are not nested too deeply, because all code that processes them recurses. Returns
 * them.
 * @throws HttpError 400
 */
export function shallow(params: JsonObject): JsonObject {
  if (isDeeperThan(params, MAX_LEVELS))
    throw refuse.badRequest(`The parameters are nested more than ${MAX_LEVELS} levels deep`)
  return params
}

/**
 * The body of a request.
 * @throws HttpError 400 unless it is a JSON object
 */
export function jsonBody({body}: FastifyRequest): JsonObject {
  if (isJsonObject(body)) return body
  throw refuse.badRequest('The body must be a JSON object')
}

/**
 * Refuses a request for another project, another dataset or an invalid API version.
 * @throws HttpError 400 or 404
 */
export function checkTarget(request: FastifyRequest, {environment}: LakeContext): void {
  const version = pathParam(request, 'version')
  if (!isApiVersion(version)) throw refuse.unknownVersion(`v${version}`)
  const project = request.headers['x-sanity-project-id']
  if (typeof project === 'string' && project !== environment.projectId) throw refuse.unknownProject(project)
  const dataset = pathParam(request, 'dataset')
  if (dataset !== environment.dataset) throw refuse.unknownDataset(dataset, environment.projectId)
}

/** `1`, `X`, or a date. https://www.sanity.io/docs/content-lake/api-versioning */
function isApiVersion(version: string): boolean {
  if (version === '1' || version === 'X') return true
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && !Number.isNaN(Date.parse(version))
}

/** What route handlers use. They do not depend on a repository: any store works. */
export type LakeContext = {
  readonly store: DocumentStore
  readonly environment: QueryEnvironment
  readonly access: Access
}

/** The environment of a principal's queries, in which `identity()` is its id. */
export function environmentOf({environment}: LakeContext, principal: Principal): QueryEnvironment {
  return {...environment, identity: principal.id}
}
