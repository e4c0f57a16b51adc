import type {PatchOperations, SanityClient} from '@sanity/client'
import type {MadeDraft} from './madeTool.ts'

/** Marks the requests of this feature in the logs of the lake and of hosted Sanity. */
export const TAG = 'handrail.made'

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
