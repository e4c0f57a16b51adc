import {schemaType} from '@sanity/preview-url-secret/constants'
import {previewSourceOf} from '../../../../schemas/preview.ts'

/** The change of a protected site that needs no review: it only takes tools away. */
export const SWITCH_OFF = 'switch the site off'

/** What a transaction needs the right to: change drafts or published documents, of some or of all sites. */
export type Need = {readonly change: 'draft' | 'published'; readonly sites: 'all' | readonly string[]}

export type Operation = {
  readonly name: string
  readonly path: 'mutate' | 'actions'
  readonly steps: readonly object[]
  readonly need: Need
}

export const publicIdOf = (site: string) => `${site}-public`

/** A site document. */
export const siteDocument = (site: string) => ({
  _id: site,
  _type: 'site',
  name: site,
  publicId: publicIdOf(site),
})

/** A tool of a site, with a name of its own. */
export const tool = (site: string, _id: string, name = _id.replace('drafts.', '')) => ({
  _id,
  _type: 'tool',
  name,
  site: {_type: 'reference', _ref: site},
})

/** Documents that each site has: published, published with a draft, and a draft. A fourth one was deleted. */
export const idsOf = (site: string) => ({
  published: `${site}-published`,
  both: `${site}-both`,
  draft: `${site}-draft`,
  deleted: `${site}-deleted`,
})

/** Every way to change documents of one site. */
export function operationsOn(site: string): Operation[] {
  const {published, both, draft, deleted} = idsOf(site)
  const made = `${site}-made`
  const set = {set: {name: 'changed'}}
  const drafted = (id: string) => `drafts.${id}`
  const pair = (id: string) => ({draftId: drafted(id), publishedId: id})
  const mutation = (name: string, step: object, change: Need['change'] = 'published', all = false) => ({
    name,
    path: 'mutate' as const,
    steps: [step],
    need: {change, sites: all ? ('all' as const) : [site]},
  })
  const action = (kind: string, members: object, change: Need['change'] = 'published') => ({
    name: `action ${kind} ${JSON.stringify(members)}`,
    path: 'actions' as const,
    steps: [{actionType: `sanity.action.document.${kind}`, ...members}],
    need: {change, sites: [site]},
  })
  const secret = {_id: 'drafts.0b5e', _type: schemaType, source: previewSourceOf(publicIdOf(site))}
  return [
    mutation('create a draft', {create: tool(site, drafted(made))}, 'draft'),
    mutation('create a draft with a generated id', {create: tool(site, 'drafts.')}, 'draft'),
    mutation('create a draft if missing', {createIfNotExists: tool(site, drafted(made))}, 'draft'),
    mutation('draft a published document', {createIfNotExists: tool(site, drafted(published))}, 'draft'),
    mutation('replace a draft', {createOrReplace: tool(site, drafted(both), 'changed')}, 'draft'),
    mutation('restore a deleted document as a draft', {create: tool(site, drafted(deleted))}, 'draft'),
    mutation('patch a draft', {patch: {id: drafted(draft), ...set}}, 'draft'),
    mutation('patch a draft by query', {patch: {query: `*[_id == "drafts.${both}"]`, ...set}}, 'draft'),
    mutation('delete a draft', {delete: {id: drafted(both)}}, 'draft'),
    {
      name: 'ask for a review',
      path: 'actions',
      steps: [{actionType: 'handrail.action.review.request', publishedId: published, action: 'unpublish'}],
      need: {change: 'draft', sites: [site]},
    },
    mutation(
      'draft a change of the site',
      {createOrReplace: {...siteDocument(site), _id: drafted(site)}},
      'draft',
    ),
    mutation('create the secret of a preview', {create: secret}, 'draft'),

    mutation('create a document', {create: tool(site, made)}),
    mutation('create a document with a generated id', {create: {...tool(site, ''), _id: undefined}}),
    mutation('create a document with a dot in its id', {create: tool(site, `private.${made}`)}),
    mutation('restore a deleted document', {createIfNotExists: tool(site, deleted)}),
    mutation('create a document over a draft', {createOrReplace: tool(site, draft)}),
    mutation('replace a document', {createOrReplace: tool(site, published, 'changed')}),
    mutation('patch a document', {patch: {id: published, ...set}}),
    mutation('patch documents by query', {patch: {query: `*[_id == "${both}"]`, ...set}}),
    mutation('delete a document', {delete: {id: published}}),
    mutation('delete documents by query', {delete: {query: `*[_id == "${published}"]`}}),
    mutation(SWITCH_OFF, {patch: {id: site, set: {enabled: false}}}),
    mutation(
      'change the public ID of the site',
      {patch: {id: site, set: {publicId: 'x'}}},
      'published',
      true,
    ),

    action('create', {attributes: tool(site, drafted(made)), publishedId: made}, 'draft'),
    action('create', {attributes: tool(site, drafted(deleted)), publishedId: deleted}, 'draft'),
    action('edit', {...pair(published), patch: set}, 'draft'),
    action('edit', {...pair(both), patch: set}, 'draft'),
    action('discard', {draftId: drafted(both)}, 'draft'),
    action('replaceDraft', {attributes: tool(site, drafted(both), 'changed')}, 'draft'),
    action(
      'version.create',
      {...{publishedId: published, baseId: published}, versionId: drafted(published)},
      'draft',
    ),
    action('version.replace', {document: tool(site, drafted(published), 'changed')}, 'draft'),
    action('version.discard', {versionId: drafted(draft)}, 'draft'),
    action('publish', pair(both)),
    action('publish', pair(draft)),
    action('unpublish', pair(published)),
    action('unpublish', pair(both)),
    action('delete', {publishedId: published}),
    action('delete', {publishedId: both, includeDrafts: [drafted(both)]}),
  ]
}

/** The actions that make a release with a document of each site. */
export function releaseWith(releaseId: string, sites: readonly string[]): object[] {
  return [
    {actionType: 'sanity.action.release.create', releaseId},
    ...sites.map((site) => ({
      actionType: 'sanity.action.document.version.create',
      publishedId: idsOf(site).published,
      document: tool(site, `versions.${releaseId}.${idsOf(site).published}`, `${site} in ${releaseId}`),
    })),
  ]
}

/** Changes that concern two sites, or none. */
export function operationsAcross(site: string, other: string): Operation[] {
  const mutation = (
    name: string,
    steps: object[],
    change: Need['change'],
    sites: Need['sites'],
  ): Operation => ({
    name,
    path: 'mutate',
    steps,
    need: {change, sites},
  })
  const two = [site, other]
  const publishAt = '2126-01-01T00:00:00Z'
  const metadata = {title: 'Renamed'}
  const edited = {patch: {set: {metadata}}, document: {metadata}, ifExists: 'replace'}
  /** An action on a release with a document of each site. */
  const release = (verb: string, change: Need['change'], name = 'open'): Operation => ({
    name: `${verb} a release of two sites, ${name}`,
    path: 'actions',
    steps: [{actionType: `sanity.action.release.${verb}`, releaseId: name, publishAt, ...edited}],
    need: {change, sites: two},
  })
  const toOther = {set: {site: {_type: 'reference', _ref: other}}}
  const {published, both, draft} = idsOf(site)
  return [
    mutation('move a draft', [{patch: {id: `drafts.${draft}`, ...toOther}}], 'draft', two),
    mutation('move a document', [{patch: {id: published, ...toOther}}], 'published', two),
    mutation('draft a move', [{create: tool(other, `drafts.${published}`)}], 'draft', two),
    mutation(
      'change both',
      [site, other].map((one) => ({patch: {id: idsOf(one).both, set: {name: 'x'}}})),
      'published',
      two,
    ),
    mutation(
      'draft in both',
      [site, other].map((one) => ({patch: {id: `drafts.${idsOf(one).both}`, set: {name: 'x'}}})),
      'draft',
      two,
    ),
    mutation(
      'refer to two sites',
      [{patch: {id: both, set: {site: [{_ref: site}, {_ref: other}]}}}],
      'published',
      'all',
    ),
    mutation(
      'add a version of a document of the other site to a release',
      [{create: tool(site, `versions.r.${idsOf(other).published}`)}],
      'draft',
      two,
    ),
    mutation(
      'add a version to a release that has documents of both',
      [{create: tool(site, `versions.open.${both}`)}],
      'draft',
      two,
    ),
    ...['open', 'done', 'shelved'].map((name) => release('delete', 'draft', name)),
    ...['open', 'shelved'].map((name) => release('edit', 'draft', name)),
    release('import', 'draft'),
    release('unarchive', 'draft', 'shelved'),
    release('archive', 'draft'),
    release('publish', 'published'),
    release('schedule', 'published'),
    release('unschedule', 'published', 'locked'),
    mutation('draft a new site', [{create: siteDocument('drafts.made')}], 'draft', 'all'),
    mutation('create a site', [{create: siteDocument('made')}], 'published', 'all'),
    mutation('draft a document of no site', [{create: {_id: 'drafts.made', _type: 'tool'}}], 'draft', 'all'),
    mutation(
      'create a document of another type',
      [{create: {...tool(site, 'made'), _type: 'post'}}],
      'published',
      'all',
    ),
  ]
}
