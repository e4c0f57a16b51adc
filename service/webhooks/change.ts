import {isJsonObject, jsonIn} from '../../common/json.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {Announcement} from '../cache/revalidation.ts'
import {errors} from '../errors.ts'

/** The content of a delivery: a change of a published document, or the reason to ignore it. */
type Change = {readonly announcement: Announcement} | {readonly ignored: string}

/** The document types that configs are made of. */
const SERVED_TYPES = ['site', 'tool', 'formTool']

/** https://www.sanity.io/docs/content-lake/ids: unpublished documents carry a prefix. */
const UNPUBLISHED = /^(drafts|versions)\./

const DOCUMENT_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/

/**
 * Parses the payload: the projection that docs/webhooks.md recommends, or the whole document, which Sanity
 * sends without a projection. Other members are ignored.
 * @param operation the `sanity-operation` header. A projection may instead say itself that the document was
 * deleted.
 * @throws WEBHOOK_NOT_UNDERSTOOD with the name of the invalid member.
 */
export function parseChange(body: string, operation: string | undefined): Change {
  const payload = jsonIn(body)
  if (!isJsonObject(payload)) throw notUnderstood('The body is not a JSON object.')
  const {_id: documentId, _type: type, _rev: revision} = payload
  if (typeof documentId !== 'string' || !DOCUMENT_ID.test(documentId))
    throw notUnderstood('"_id" must be the id of a document. Does the projection of the webhook include it?')
  if (UNPUBLISHED.test(documentId)) return {ignored: 'Drafts and versions are not served.'}
  if (typeof type === 'string' && !SERVED_TYPES.includes(type))
    return {ignored: 'Documents of this type are not served.'}

  const isDeleted = typeof payload.deleted === 'boolean' ? payload.deleted : operation === 'delete'
  if (!isDeleted && (typeof revision !== 'string' || revision === ''))
    throw notUnderstood(
      '"_rev" must be the revision of the document. Does the projection of the webhook include it?',
    )
  return {
    announcement: {
      documentId,
      revision: isDeleted || typeof revision !== 'string' ? null : revision,
      siteIds: textsOf([isJsonObject(payload.site) && payload.site._ref, ...listOf(payload.sites, 'sites')]),
      publicIds: textsOf([payload.publicId, ...listOf(payload.publicIds, 'publicIds')]).filter(
        (publicId) => parsePublicId(publicId).ok,
      ),
    },
  }
}

function listOf(list: unknown, name: string): unknown[] {
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw notUnderstood(`"${name}" must be a list.`)
  return list
}

/** The list contains `null` for a new document, which belonged to no site before. */
function textsOf(values: readonly unknown[]): string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))]
}

function notUnderstood(problem: string): Error {
  return new errors.WEBHOOK_NOT_UNDERSTOOD(problem)
}
