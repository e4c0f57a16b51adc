import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {refuse} from '../errors.ts'
import {isPatch, type Patch} from '../patch/patch.ts'

/** The documents of a mutation: one by id, or all that a query finds. */
export type Selection = {readonly id: string} | {readonly query: string; readonly params: JsonObject}

/** One mutation of a transaction. https://www.sanity.io/docs/http-reference/mutation */
export type Mutation =
  | {readonly kind: 'create' | 'createOrReplace' | 'createIfNotExists'; readonly document: JsonObject}
  | {readonly kind: 'delete'; readonly select: Selection}
  | {
      readonly kind: 'patch'
      readonly select: Selection
      readonly patch: Patch
      readonly ifRevisionId?: string | undefined
    }

/**
 * Parses one mutation of a request.
 * @throws RefusedError 400
 */
export function parseMutation(value: unknown): Mutation {
  const [[kind, body] = ['', undefined], ...more] = isJsonObject(value) ? Object.entries(value) : []
  if (more.length > 0 || !isJsonObject(body)) {
    throw refuse.malformed(
      'A mutation must be an object with exactly one of create, createOrReplace, … or patch',
    )
  }
  switch (kind) {
    case 'create':
    case 'createOrReplace':
    case 'createIfNotExists':
      if (typeof body._type !== 'string' || body._type === '')
        throw refuse.malformed('A document needs a "_type"')
      if (body._id !== undefined && typeof body._id !== 'string')
        throw refuse.malformed('A document\'s "_id" must be a string')
      if (kind !== 'create' && !body._id) throw refuse.malformed(`${kind} needs the "_id" of a document`)
      return {kind, document: body}
    case 'delete':
      return {kind, select: parseSelection(body)}
    case 'patch': {
      const {id, query, params, ifRevisionID, ...patch} = body
      if (ifRevisionID !== undefined && typeof ifRevisionID !== 'string')
        throw refuse.malformed('"ifRevisionID" must be a string')
      return {
        kind,
        select: parseSelection({id, query, params}),
        patch: parsePatch(patch),
        ifRevisionId: ifRevisionID,
      }
    }
    default:
      throw refuse.malformed(`"${kind}" is not a mutation`)
  }
}

/**
 * Parses the operations of a patch.
 * @throws RefusedError 400
 */
export function parsePatch(value: unknown): Patch {
  if (isPatch(value)) return value
  throw refuse.malformed(
    'A patch can have set, setIfMissing, unset, inc, dec, insert and diffMatchPatch, each well-formed',
  )
}

/**
 * Parses a member that may be missing.
 * @throws RefusedError 400
 */
export function optionalText(value: JsonObject, name: string): string | undefined {
  const text = value[name]
  if (text === undefined || text === null) return undefined
  if (typeof text === 'string') return text
  throw refuse.malformed(`"${name}" must be a string`)
}

function parseSelection({id, query, params = {}}: JsonObject): Selection {
  if (typeof id === 'string' && id !== '') return {id}
  if (typeof query === 'string' && isJsonObject(params)) return {query, params}
  throw refuse.malformed('A patch or delete needs the "id" of a document, or a "query"')
}
