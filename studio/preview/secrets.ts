import type {SanityClient} from '@sanity/client'
import {SECRET_TTL, schemaType} from '@sanity/preview-url-secret/constants'
import {createPreviewSecret} from '@sanity/preview-url-secret/create-secret'
import {uuid} from '@sanity/uuid'
import {previewSourceOf} from '../../schemas/preview.ts'
import type {ShownRelease} from '../live/useContent.ts'

/** Whose secrets, and for which site. */
type Owner = {readonly publicId: string; readonly userId: string}

/** Seconds after which a secret may be renewed: more often would only fill the history of drafts. */
const RENEW_AFTER = 480

const TAG = 'handrail.preview'

/** Sanity's rule: a secret is valid for an hour after the last change of its document. */
export function isValid(updatedAt: string, now = Date.now()): boolean {
  return Date.parse(updatedAt) > now - SECRET_TTL * 1000
}

/** A GROQ filter for the secrets of an owner, with its parameters. */
export function secretsOf({publicId, userId}: Owner) {
  return {
    filter: '*[_type == $type && source == $source && userId == $userId]',
    params: {type: schemaType, source: previewSourceOf(publicId), userId},
  }
}

/**
 * Creates a secret for one link to the pages of one site.
 * @param studioUrl where links back to Studio lead
 * @param release what the preview shows in place of drafts
 * @param signal if it is aborted meanwhile, the secret is deleted: no link has it, and it would count as a preview for an hour
 */
export async function createSecret(
  client: SanityClient,
  {publicId, userId}: Owner,
  studioUrl: string,
  release?: ShownRelease,
  signal?: AbortSignal,
) {
  const id = uuid()
  await createPreviewSecret(client, previewSourceOf(publicId), studioUrl, userId, id)
  const code = randomCode()
  await client
    .patch(`drafts.${id}`)
    .set({code, ...(release && {release})})
    .commit({tag: TAG, returnDocuments: false})
  if (signal?.aborted === true) await deleteSecret(client, `drafts.${id}`)
  return {
    /** The id of its document, a draft: drafts are readable with read access only, and never in Git. */
    id: `drafts.${id}`,
    /** What the link has. The secret itself, which signs tokens of the preview, is in no link. */
    code,
  }
}

/** `crypto.randomUUID` needs TLS, which a Studio on a company's own network may not have. */
function randomCode(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Prolongs those of the secrets that are valid for another hour, unless another tab has done so already. */
export async function renewSecrets(
  client: SanityClient,
  userId: string,
  ids: readonly string[],
  renewAfter = RENEW_AFTER,
): Promise<void> {
  const query = `*[_id in $ids && _type == $type && userId == $userId
    && dateTime(_updatedAt) > dateTime(now()) - $ttl && dateTime(_updatedAt) <= dateTime(now()) - $renewAfter]`
  const params = {ids: [...ids], type: schemaType, userId, ttl: SECRET_TTL, renewAfter}
  const patch = client.patch({query, params}).set({renewedAt: new Date().toISOString()})
  await client.mutate(patch, {tag: TAG, returnDocuments: false})
}

/** Deletes the secrets of an owner, which ends all previews that were started with them. */
export async function endPreviews(client: SanityClient, owner: Owner): Promise<void> {
  const {filter, params} = secretsOf(owner)
  await client.delete({query: filter, params}, {tag: TAG, returnDocuments: false})
}

/** Deletes one secret. */
export async function deleteSecret(client: SanityClient, id: string): Promise<void> {
  await client.delete(id, {tag: TAG, returnDocuments: false})
}
