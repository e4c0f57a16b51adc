import type {PatchOperations, SanityClient} from '@sanity/client'
import {type MadeDraft, parseMadeTool} from '../../making/madeTool.ts'
import {type Parsed, refuse} from '../../schemas/rules/parsed.ts'

/** Marks the requests of this feature in the logs of the lake and of hosted Sanity. */
export const TAG = 'handrail.made'

/** The draft of a tool that a page handed over. The link may have been opened before: its draft is then opened, and not written. */
export async function draftOf(value: unknown, client: SanityClient): Promise<Parsed<MadeDraft>> {
  const parsed = parseMadeTool(value)
  if (!parsed.ok) return parsed
  const {id, type} = parsed.value
  const query = '*[_id == $id || _id in path($versions) || (_id == $draft && _type != $type)][0]._id'
  const params = {id, versions: `versions.*.${id}`, draft: `drafts.${id}`, type}
  const taken = await client.fetch<unknown>(query, params, {perspective: 'raw', tag: TAG})
  return taken === null ? parsed : refuse('Another document has its ID. Make the tool again on the page.')
}

/** Saves all drafts or none, those that exist already as they are. */
export async function saveDrafts(drafts: readonly MadeDraft[], client: SanityClient): Promise<void> {
  const transaction = client.transaction()
  for (const {document} of drafts) transaction.createIfNotExists(document)
  await transaction.commit({tag: TAG, visibility: 'sync'})
}

/**
 * Changes the draft of a document.
 * @param created the draft, if there is none yet
 */
export async function patchDraft(
  {id, created}: {readonly id: string; readonly created: MadeDraft['document'] | undefined},
  patch: PatchOperations,
  client: SanityClient,
): Promise<void> {
  const transaction = client.transaction()
  if (created !== undefined) transaction.createIfNotExists(created)
  await transaction.patch(`drafts.${id}`, patch).commit({tag: TAG, visibility: 'sync'})
}
