import type {SanityClient} from '@sanity/client'
import {parseDocuments} from '../../schemas/documents.ts'
import {isRecord} from '../../schemas/record.ts'

const TAG = 'handrail.revert'

const HAS_DRAFT = 'It has changes that are not published. Publish or discard them first.'

/**
 * Creates a draft with what a document was before a time.
 * @param id of the published document
 * @param time milliseconds since 1970
 * @throws Error in words for an editor
 */
export async function revertToBefore(client: SanityClient, id: string, time: number): Promise<void> {
  const body: unknown = await client.request({
    url: `/data/history/${client.config().dataset}/documents/${id}`,
    query: {time: new Date(time - 1).toISOString()},
    tag: TAG,
  })
  const [document] = parseDocuments(isRecord(body) ? body.documents : undefined)
  if (document === undefined) throw new Error('Its history has no earlier version.')
  const {_rev, _createdAt, _updatedAt, ...content} = document
  try {
    await client.create({...content, _id: `drafts.${id}`}, {tag: TAG})
  } catch (error) {
    if (isRecord(error) && error.statusCode === 409) throw new Error(HAS_DRAFT, {cause: error})
    throw error
  }
}
