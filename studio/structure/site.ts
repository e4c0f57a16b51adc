import {ActivityIcon} from '@sanity/icons/Activity'
import {BoltIcon} from '@sanity/icons/Bolt'
import {CheckmarkCircleIcon} from '@sanity/icons/CheckmarkCircle'
import {ClipboardIcon} from '@sanity/icons/Clipboard'
import {CodeBlockIcon} from '@sanity/icons/CodeBlock'
import {CogIcon} from '@sanity/icons/Cog'
import {EyeOpenIcon} from '@sanity/icons/EyeOpen'
import type {ListBuilder, StructureBuilder, StructureResolverContext} from 'sanity/structure'
import {API_VERSION} from '../live/apiVersion.ts'
import {lazily} from '../parts/lazily.tsx'
import {siteNameQuery} from './queries.ts'
import {isTemplateFor, type SiteDocumentType, templateItems} from './templates.ts'

const ActivityPane = lazily(async () => (await import('../activity/pane.tsx')).ActivityPane)
const InstallPane = lazily(async () => (await import('../install/pane.tsx')).InstallPane)
const ReviewPane = lazily(async () => (await import('../review/pane.tsx')).ReviewPane)
const PagePane = lazily(async () => (await import('../overview/page/pane.tsx')).PagePane)

/** A site's settings, its panes, its tools and its form tools. */
export async function siteContents(
  S: StructureBuilder,
  context: StructureResolverContext,
  siteId: string,
  {serviceOrigin, isLake}: {serviceOrigin: string; isLake: boolean},
): Promise<ListBuilder> {
  const client = context.getClient({apiVersion: API_VERSION})
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
      S.listItem()
        .id('install')
        .title('Install')
        .icon(CodeBlockIcon)
        .child(S.component(InstallPane).id('install').title('Install').options({siteId, serviceOrigin})),
      S.listItem()
        .id('page')
        .title('On a page')
        .icon(EyeOpenIcon)
        .child(
          S.component(PagePane)
            .id('page')
            .title('On a page')
            .options({siteId, serviceOrigin})
            .child((documentId, {params: {type: schemaType = 'tool'}}) =>
              S.defaultDocument({documentId, schemaType}),
            ),
        ),
      S.listItem()
        .id('activity')
        .title('Activity')
        .icon(ActivityIcon)
        .child(S.component(ActivityPane).id('activity').title('Activity').options({siteId})),
      ...(isLake
        ? [
            S.listItem()
              .id('reviews')
              .title('Reviews')
              .icon(CheckmarkCircleIcon)
              .child(S.component(ReviewPane).id('reviews').title('Reviews').options({siteId})),
          ]
        : []),
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
