import {defineQuery} from 'groq'

// The oldest site wins where two carry one public identifier, so that a copy cannot take over a page.

/**
 * A site and its enabled tools: everything that its answers are made of. And the revisions of documents that were
 * announced, in the same answer: they say whether it was made before or after.
 */
export const siteQuery = defineQuery(`{
  "site": *[_type == "site" && publicId == $publicId] | order(_createdAt asc, _id asc)[0]{
    _id,
    _rev,
    publicId,
    pollInterval,
    "tools": *[_type == "tool" && site._ref == ^._id && enabled == true] | order(name asc, _id asc){
      _id, _rev, name, description, pathPattern, inputSchema, executeJs, exposedTo, annotations
    },
    "formTools": *[_type == "formTool" && site._ref == ^._id && enabled == true] | order(name asc, _id asc){
      _id, _rev, name, description, pagePath, selector, autosubmit
    }
  },
  "announced": *[_id in $announced]{_id, _rev, _updatedAt}
}`)

/**
 * The revisions behind the answers to `siteQuery` for many public identifiers, in the same order: asks cheaply whether
 * they still hold.
 */
export const siteRevisionsQuery = defineQuery(`{
  "sites": *[_type == "site" && publicId in $publicIds] | order(_createdAt asc, _id asc){
    _id,
    _rev,
    publicId,
    "tools": *[_type == "tool" && site._ref == ^._id && enabled == true] | order(name asc, _id asc){_id, _rev},
    "formTools": *[_type == "formTool" && site._ref == ^._id && enabled == true] | order(name asc, _id asc){_id, _rev}
  }
}`)
