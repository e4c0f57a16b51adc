import {BoltIcon} from '@sanity/icons/Bolt'
import {ClipboardIcon} from '@sanity/icons/Clipboard'
import {CogIcon} from '@sanity/icons/Cog'
import {EarthGlobeIcon} from '@sanity/icons/EarthGlobe'
import type {ComponentType} from 'react'
import type {
  ListBuilder,
  ListItemBuilder,
  StructureBuilder,
  StructureResolver,
  StructureResolverContext,
} from 'sanity/structure'
import {API_VERSION} from '../live/useContent.ts'
import {siteName} from '../parts/addresses.ts'
import {lazily} from '../parts/lazily.tsx'
import {isTemplateFor, type SiteDocumentType, templateItems} from './templates.ts'

/** Sites first, with their documents below. The lists of all tools also include those whose site is missing. */
export const structure: StructureResolver = (S, context) =>
  S.list()
    .id('content')
    .title('Content')
    .items([
      S.listItem()
        .id('sites')
        .title('Sites')
        .icon(EarthGlobeIcon)
        .child(
          // Not Studio's own list of all documents of a type: that one would open for every link to a site,
          // with the site's contents. A new site, or one that another document references, opens as a form.
          S.documentList()
            .title('Sites')
            .apiVersion(API_VERSION)
            .schemaType('site')
            .filter('_type == "site"')
            .canHandleIntent(() => false)
            .initialValueTemplates([S.initialValueTemplateItem('site')])
            .child((siteId) => siteContents(S, context, siteId)),
        ),
      S.divider(),
      ...(['tool', 'formTool'] as const).map((type) => {
        const title = type === 'tool' ? 'All tools' : 'All form tools'
        const list = S.documentTypeList(type).title(title).initialValueTemplates(templateItems(S, type))
        return S.documentTypeListItem(type).title(title).child(list)
      }),
    ])

const ToSitePage = lazily(async () => (await import('./toSitePage.tsx')).ToSitePage)

/** A site's name, including changes in its draft. */
const SITE_NAME = '*[_type == "site" && _id == $siteId][0].name'

/** A site's settings, its tools and its form tools, and the way to its page. */
async function siteContents(
  S: StructureBuilder,
  context: StructureResolverContext,
  siteId: string,
): Promise<ListBuilder> {
  const client = context.getClient({apiVersion: API_VERSION})
  const name = await client.fetch<unknown>(
    SITE_NAME,
    {siteId},
    {perspective: 'drafts', tag: 'handrail.site-name'},
  )
  const item = (
    id: string,
    title: string,
    icon: ComponentType,
    child: Parameters<ListItemBuilder['child']>[0],
  ) => S.listItem().id(id).title(title).icon(icon).child(child)
  const page = S.component(ToSitePage).id('page').title('Page of the site').options({siteId})
  const settings = S.document().schemaType('site').documentId(siteId).title('Settings')
  return S.list()
    .id(siteId)
    .title(siteName(name))
    .items([
      item('page', 'Page of the site', EarthGlobeIcon, page),
      item('settings', 'Settings', CogIcon, settings),
      S.divider(),
      item('tools', 'Tools', BoltIcon, documentsOf(S, siteId, 'tool', 'Tools')),
      item('formTools', 'Form tools', ClipboardIcon, documentsOf(S, siteId, 'formTool', 'Form tools')),
    ])
}

/**
 * The site's documents of a type. A new one belongs to the site, and opens next to this list instead of the
 * list of all. The template must be set last: later calls would replace it with the type's own templates.
 */
function documentsOf(S: StructureBuilder, siteId: string, type: SiteDocumentType, title: string) {
  return S.documentList()
    .title(title)
    .apiVersion(API_VERSION)
    .schemaType(type)
    .filter('_type == $type && site._ref == $siteId')
    .params({type, siteId})
    .defaultOrdering([{field: 'name', direction: 'asc'}])
    .canHandleIntent((intent, {template}) => intent === 'create' && isTemplateFor(type, template))
    .initialValueTemplates(templateItems(S, type, siteId))
}
