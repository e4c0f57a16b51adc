import {defineQuery} from 'groq'
import type {Declaration} from '../../schemas/document.ts'
import {formTool} from '../../schemas/formTool.ts'
import {site} from '../../schemas/site.ts'
import {tool} from '../../schemas/tool.ts'

/** The projection of a type: what the service reads of its documents. */
export function projectionOf({fields}: Declaration): string {
  const names = fields.flatMap(({name, isServed}) => (isServed === true ? [name] : []))
  return ['_id', '_rev', ...names].join(', ')
}

// If two sites have the same public ID, the one that is served stays, and otherwise the oldest wins, so that a copy cannot
// take over a page. Our lake refuses such sites, and dates those of a commit itself. In hosted Sanity, a client may give a
// new document any `_createdAt`.

/** Fetches the site `$served` if it has the public ID, and otherwise the oldest, with its enabled tools. */
export const siteQuery = defineQuery(`{
  "site": *[_type == "site" && publicId == $publicId] | order(select(_id == $served => 0, 1) asc, _createdAt asc, _id asc)[0]{
    ${projectionOf(site)},
    "tools": *[_type == "tool" && site._ref == ^._id && enabled == true] | order(name asc, _id asc){
      ${projectionOf(tool)}
    },
    "formTools": *[_type == "formTool" && site._ref == ^._id && enabled == true] | order(name asc, _id asc){
      ${projectionOf(formTool)}
    }
  }
}`)

/**
 * Fetches the revisions of many sites. A cheap way to check whether cached sites are still current.
 */
export const siteRevisionsQuery = defineQuery(`{
  "sites": *[_type == "site" && publicId in $publicIds] | order(_createdAt asc, _id asc){
    _id,
    _rev,
    publicId,
    "tools": *[_type == "tool" && site._ref == ^._id && enabled == true]{_id, _rev},
    "formTools": *[_type == "formTool" && site._ref == ^._id && enabled == true]{_id, _rev}
  }
}`)

/**
 * Fetches what changed since a date, of all sites, and the number of documents, because a deletion leaves no
 * other trace. `now` is upstream's clock, on which `_updatedAt` depends. The order lets a lake find the changed ones without
 * reading the others.
 */
export const changesQuery = defineQuery(`{
  "now": now(),
  "count": count(*[_type in ["site", "tool", "formTool"]]),
  "changed": *[_type in ["site", "tool", "formTool"] && _updatedAt > $since] | order(_updatedAt desc)[0...1000]{
    _id, _rev, _createdAt, "publicId": coalesce(publicId, site->publicId)
  }
}`)
