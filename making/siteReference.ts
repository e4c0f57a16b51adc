/**
 * A reference from the draft of a tool to its site, which may not be published yet. The Content Lake makes it strong
 * when the tool is published: from then on, the site cannot be deleted.
 */
export function referenceToSite(siteId: string) {
  return {_type: 'reference', _ref: siteId, _weak: true, _strengthenOnPublish: {type: 'site'}}
}
