import {randomUUID} from 'node:crypto'
import type {FastifyInstance, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {MAX_DEPTH} from '../../../content/canonical.ts'
import {NotKeptError} from '../../../content/drafts/notKept.ts'
import {MAX_DOCUMENT_BYTES} from '../../../content/parseDocument.ts'
import {isDeeperThan} from '../../../content/size.ts'
import {HttpError} from '../../errors.ts'
import {RefusedError, refuse} from '../../write/errors.ts'
import type {Request, Result} from '../../write/request.ts'
import {parseAction} from '../../write/transaction/action.ts'
import {withArrayKeys} from '../../write/transaction/arrayKeys.ts'
import {parseMutation} from '../../write/transaction/mutation.ts'
import type {Writer} from '../../write/writer.ts'
import {admitted} from '../gate.ts'
import {checkTarget, flag, type LakeContext} from '../request.ts'

/** Maximum size of one transaction: the largest document, and what surrounds it. */
const MAX_BODY_BYTES = MAX_DOCUMENT_BYTES + 1024 * 1024

/** Maximum mutations or actions of one transaction. */
const MAX_STEPS = 10_000

/**
 * Nesting around a document: the body, the list, the mutation, and in a patch the operation and the value.
 */
const LEVELS_AROUND = 6

/**
 * `POST /data/mutate/:dataset` and `POST /data/actions/:dataset`.
 * https://www.sanity.io/docs/http-reference/mutation
 */
export function writeRoutes(app: FastifyInstance, context: LakeContext, writer: Writer): void {
  const options: RouteShorthandOptions = {config: {access: 'write'}, bodyLimit: MAX_BODY_BYTES}
  app.post('/v:version/data/mutate/:dataset', options, async (request) => {
    checkTarget(request, context)
    const principal = admitted(request)
    return answered('mutation', async () => {
      const body = bodyOf(request)
      const given = stepsOf(body, 'mutations', parseMutation)
      const dryRun = flag(request, 'dryRun', false)
      const returnsDocuments = flag(request, 'returnDocuments', false)
      const named = transactionOf(body)
      const mutations = flag(request, 'autoGenerateArrayKeys', false)
        ? withArrayKeys(given, named.transactionId ?? randomUUID())
        : given
      const transaction = {mutations, principal, dryRun, returnsDocuments, ...named}
      const result = await writer.transact(transaction)
      return {transactionId: result.transactionId, ...resultsOf(request, result)}
    })
  })

  app.post('/v:version/data/actions/:dataset', options, async (request) => {
    checkTarget(request, context)
    const principal = admitted(request)
    return answered('action', async () => {
      const body = bodyOf(request)
      const actions = stepsOf(body, 'actions', parseAction)
      const dryRun = body.dryRun === true
      const {transactionId} = await writer.transact({actions, principal, dryRun, ...transactionOf(body)})
      return {transactionId}
    })
  })
}

function bodyOf({body}: FastifyRequest): JsonObject {
  // All code that processes a body recurses.
  if (isDeeperThan(body, MAX_DEPTH + LEVELS_AROUND))
    throw refuse.malformed(`A document can be nested at most ${MAX_DEPTH} levels deep`)
  if (isJsonObject(body)) return body
  throw refuse.malformed('The body must be a JSON object')
}

function stepsOf<T>(body: JsonObject, name: 'mutations' | 'actions', parse: (step: unknown) => T): T[] {
  const steps = body[name]
  if (!Array.isArray(steps) || steps.length === 0)
    throw refuse.malformed(`"${name}" must be a non-empty list`)
  if (steps.length > MAX_STEPS) throw refuse.malformed(`A transaction can have at most ${MAX_STEPS} ${name}`)
  return steps.map((step, index) => {
    try {
      return parse(step)
    } catch (error) {
      throw error instanceof RefusedError ? error.at(index) : error
    }
  })
}

function transactionOf({transactionId}: JsonObject): Pick<Request, 'transactionId'> {
  if (transactionId === undefined) return {}
  // The id is used in commits and event ids.
  if (typeof transactionId === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(transactionId))
    return {transactionId}
  throw refuse.malformed('"transactionId" must be at most 128 letters, digits, ".", "_" and "-"')
}

function resultsOf(request: FastifyRequest, {effects, documents}: Result) {
  const returnDocuments = flag(request, 'returnDocuments', false)
  if (!returnDocuments && !flag(request, 'returnIds', false)) return {}
  return {
    results: effects.map(({id, operation}) => {
      const document = returnDocuments ? documents.get(id) : undefined
      return {id, operation, ...(document && {document})}
    }),
  }
}

/** Converts every error to the format of Sanity's API. */
async function answered<T>(what: 'mutation' | 'action', work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotKeptError) {
      const failure = new HttpError(503, error.message)
      failure.cause = error
      throw failure
    }
    if (!(error instanceof RefusedError)) throw error
    const {status, problem, index} = error
    const description = `The ${what}(s) failed: ${problem.description}`
    throw new HttpError(status, description, {
      error: {type: `${what}Error`, description, items: [{index, error: problem}]},
    })
  }
}
