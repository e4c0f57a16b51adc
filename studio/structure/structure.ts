import {EarthGlobeIcon} from '@sanity/icons/EarthGlobe'
import type {StructureResolver} from 'sanity/structure'
import {API_VERSION} from '../live/useContent.ts'
import {siteContents} from './site.ts'
import {templateItems} from './templates.ts'

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
