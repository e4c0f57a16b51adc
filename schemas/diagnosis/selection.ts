/** Which documents to follow: published ones and drafts alike. */
export type Selection = {
  /** A GROQ query for documents. */
  readonly query: string
  /** A GROQ filter in brackets that matches the same documents. It cannot contain another query. */
  readonly filter: string
  readonly params: Record<string, string | readonly string[]>
}

const TYPES = ['tool', 'formTool']

/**
 * Selects what `checkSite` needs: the site, others with its public ID, its tools, and the drafts of tools that would
 * move to another site.
 */
export function documentsOfSite(siteId: string): Selection {
  const ids = [siteId, `drafts.${siteId}`]
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
