import {EarthGlobeIcon} from '@sanity/icons/EarthGlobe'
import type {StructureResolver} from 'sanity/structure'
import {siteContents} from './site.ts'

/** Sites first, and what belongs to each below it. The lists of all tools also hold those whose site is missing. */
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
          S.documentTypeList('site')
            .title('Sites')
            // A site that is opened by a link, or is new, shows its form and not what belongs to it.
            .canHandleIntent(() => false)
            .child((siteId) => siteContents(S, context, siteId)),
        ),
      S.divider(),
      S.documentTypeListItem('tool').title('All tools'),
      S.documentTypeListItem('formTool').title('All form tools'),
    ])
