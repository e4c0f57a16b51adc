/** Which documents to follow: published ones and drafts alike. */
export type Selection = {
  /** A GROQ filter in brackets. It cannot contain another query. */
  readonly filter: string
  /** A GROQ query for the same documents, if the filter cannot find them alone. */
  readonly query?: string
  readonly params: Record<string, string | readonly string[]>
  /** Whether the query counts other documents, so that it is sent again after each change. */
  readonly counts?: boolean
}

const TYPES = ['tool', 'formTool']

/**
 * Selects what `checkSite` needs: the site, others with its public ID, its tools, and the drafts of tools that would
 * move to another site.
 * @param release the name of a release whose version of the site is needed, too
 */
export function documentsOfSite(siteId: string, release?: string): Selection & {readonly query: string} {
  const version = release === undefined ? [] : [`versions.${release}.${siteId}`]
  const ids = [siteId, `drafts.${siteId}`, ...version]
  return {
    query: `*[
      _id in $ids
      || _type == "site" && publicId in *[_id in $ids].publicId
      || _type in $types && (site._ref == $siteId || _id in *[_type in $types && site._ref == $siteId]{"id": "drafts." + _id}.id)
    ]`,
    filter: '*[_type == "site" && _id in $ids || _type in $types && site._ref == $siteId]',
    params: {siteId, ids, types: TYPES},
  }
}
