import type {SanityDocument} from 'sanity'
import {parseDocuments} from '../../schemas/diagnosis/documents.ts'
import {reviewedSiteOf} from '../../schemas/review.ts'
import {parseMe} from '../people/access.ts'
import {allows, listNames} from '../people/roles.ts'
import {useAccess} from '../people/useAccess.ts'

/** Who may publish a document that the person who uses Studio may not publish. */
export type Publishers = {
  /** In a sentence: "Ada Lovelace or Charles Babbage". */
  readonly names: string
  /** What this person is: "You are author of Harbour Supply." */
  readonly own: string
}

/** Names those who may publish a document. Null: not needed. */
export function usePublishers(document: SanityDocument | null): Publishers | undefined {
  const {loaded} = useAccess(document === null ? undefined : '/me', parseMe)
  const [parsed] = parseDocuments([document])
  if (parsed === undefined) return undefined
  if (loaded.state !== 'ready') return {names: 'A publisher', own: 'You may not publish here.'}
  const siteId = reviewedSiteOf(parsed)
  const names = loaded.value.publishers
    .filter(({rights}) => allows(rights, 'publisher', siteId))
    .map(({name}) => name)
  return {
    names: names.length === 0 ? 'An administrator' : listNames(names),
    own: `You are ${loaded.value.rightsText}.`,
  }
}
