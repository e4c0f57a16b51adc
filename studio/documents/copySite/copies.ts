import {uuid} from '@sanity/uuid'
import {referenceToSite} from '../../../making/siteReference.ts'
import {groupVersions, type StoredDocument} from '../../../schemas/documents.ts'
import {generatePublicId} from '../../../schemas/rules/publicId.ts'

/** Selects a site with its tools and form tools, published ones and drafts. */
export const SITE_WITH_TOOLS =
  '*[_id in [$siteId, "drafts." + $siteId] || _type in ["tool", "formTool"] && site._ref == $siteId]'

/** How a copy differs from the site. */
export type CopyOptions = {
  readonly name: string
  /** Where the copy lives, if that is known. */
  readonly address: string | undefined
  /** Whether what is published is published in the copy too. Otherwise, everything becomes a draft. */
  readonly isPublished: boolean
}

/** The documents of a copy, which are not stored yet. */
type Copy = {
  readonly siteId: string
  readonly documents: readonly {readonly _id: string; readonly _type: string}[]
}

/**
 * Copies a site with its tools and form tools. The copy has a public ID of its own and no other address than the
 * given one, so no page changes.
 * @param documents what {@link SITE_WITH_TOOLS} selects
 * @param newId returns an id that no document has
 */
export function copySite(
  documents: readonly StoredDocument[],
  {name, address, isPublished}: CopyOptions,
  newId: () => string = uuid,
): Copy {
  const copyId = newId()
  const publicId = generatePublicId()
  const copied = (document: StoredDocument, id: string, isDraft: boolean) => {
    const {_rev, _createdAt, _updatedAt, addresses, site, ...fields} = document
    const own =
      document._type === 'site'
        ? {name, publicId, ...(address !== undefined && {addresses: [address]})}
        : {site: isPublished ? {_type: 'reference', _ref: copyId} : referenceToSite(copyId)}
    return {...fields, ...own, _id: isDraft ? `drafts.${id}` : id}
  }
  const copies = groupVersions(documents).flatMap(({published, draft}) => {
    const subject = draft ?? published
    if (subject === undefined) return []
    const id = subject._type === 'site' ? copyId : newId()
    if (!isPublished) return [copied(subject, id, true)]
    return [
      ...(published === undefined ? [] : [copied(published, id, false)]),
      ...(draft === undefined ? [] : [copied(draft, id, true)]),
    ]
  })
  return {siteId: copyId, documents: copies}
}
