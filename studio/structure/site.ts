import {BoltIcon} from '@sanity/icons/Bolt'
import {ClipboardIcon} from '@sanity/icons/Clipboard'
import {CogIcon} from '@sanity/icons/Cog'
import type {ListBuilder, StructureBuilder, StructureResolverContext} from 'sanity/structure'
import {siteNameQuery} from './queries.ts'
import {ofSite, type SiteDocumentType} from './templates.ts'

/** Of queries: from this version on they see drafts where they ask for them. */
export const apiVersion = '2025-02-19'

/** A site's settings, its tools and its form tools. */
export async function siteContents(
  S: StructureBuilder,
  context: StructureResolverContext,
  siteId: string,
): Promise<ListBuilder> {
  const client = context.getClient({apiVersion})
  const name = await client.fetch(siteNameQuery, {siteId}, {perspective: 'drafts', tag: 'handrail.site-name'})
  return S.list()
    .id(siteId)
    .title(name || 'Untitled site')
    .items([
      S.listItem()
        .id('settings')
        .title('Settings')
        .icon(CogIcon)
        .child(S.document().schemaType('site').documentId(siteId).title('Settings')),
      S.divider(),
      S.listItem()
        .id('tools')
        .title('Tools')
        .icon(BoltIcon)
        .child(documentsOf(S, siteId, 'tool', 'Tools')),
      S.listItem()
        .id('formTools')
        .title('Form tools')
        .icon(ClipboardIcon)
        .child(documentsOf(S, siteId, 'formTool', 'Form tools')),
    ])
}

/** The site's documents of a type; a new one belongs to the site. */
function documentsOf(S: StructureBuilder, siteId: string, type: SiteDocumentType, title: string) {
  return S.documentList()
    .title(title)
    .apiVersion(apiVersion)
    .schemaType(type)
    .filter('_type == $type && site._ref == $siteId')
    .params({type, siteId})
    .defaultOrdering([{field: 'name', direction: 'asc'}])
    .initialValueTemplates([S.initialValueTemplateItem(ofSite(type), {siteId})])
}
