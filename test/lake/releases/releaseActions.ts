import {toolOn} from '../write/reviews/reviewLake.ts'

/** An action on a release. */
export const release = (verb: string, releaseId = 'rSale', others: object = {}) => ({
  actionType: `sanity.action.release.${verb}`,
  releaseId,
  ...others,
})

const version = (verb: string, id: string, releaseId: string, others: object) => ({
  actionType: `sanity.action.document.version.${verb}`,
  publishedId: id,
  versionId: `versions.${releaseId}.${id}`,
  ...others,
})

/** The action that adds a tool to a release. */
export const add = (id: string, site: string, fields: object = {}, releaseId = 'rSale') =>
  version('create', id, releaseId, {document: {_id: `versions.${releaseId}.${id}`, ...toolOn(site, fields)}})

export const unpublish = (id: string, releaseId = 'rSale') => version('unpublish', id, releaseId, {})
export const discard = (id: string, releaseId = 'rSale') => version('discard', id, releaseId, {})

export const edit = (id: string, releaseId = 'rSale', set: object = {}) => ({
  actionType: 'sanity.action.document.edit',
  publishedId: id,
  draftId: `versions.${releaseId}.${id}`,
  patch: {set},
})

/** An action on the review of a release. */
export const review = (verb: string, releaseId = 'rSale') => ({
  actionType: `handrail.action.review.${verb}`,
  publishedId: `_.releases.${releaseId}`,
  text: 'Please',
})

/** The time in an hour: no test takes as long. */
export const later = (milliseconds = 3_600_000) => new Date(Date.now() + milliseconds).toISOString()
