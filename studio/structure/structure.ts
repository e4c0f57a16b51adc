import {EarthGlobeIcon} from '@sanity/icons/EarthGlobe'
import type {StructureResolver} from 'sanity/structure'
import {API_VERSION} from '../live/apiVersion.ts'
import {siteContents} from './site.ts'
import {templateItems} from './templates.ts'

/**
 * Sites first, with their documents below. The lists of all tools also include those whose site is missing.
 * @param serviceOrigin where pages load their tools from
 * @param isLake whether the content is in a lake, which has reviews
 */
export const structureWith =
  (serviceOrigin: string, isLake: boolean): StructureResolver =>
  (S, context) =>
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
              .child((siteId) => siteContents(S, context, siteId, {serviceOrigin, isLake})),
          ),
        S.divider(),
        ...(['tool', 'formTool'] as const).map((type) => {
          const item = S.documentTypeListItem(type).title(type === 'tool' ? 'All tools' : 'All form tools')
          const list = S.documentTypeList(type).title(type === 'tool' ? 'All tools' : 'All form tools')
          return item.child(list.initialValueTemplates(templateItems(S, type)))
        }),
      ])
