import {EarthGlobeIcon} from '@sanity/icons/EarthGlobe'
import type {StructureResolver} from 'sanity/structure'
import {API_VERSION, siteContents} from './site.ts'

/**
 * Sites first, and what belongs to each below it. The lists of all tools also hold those whose site is missing.
 * @param serviceOrigin where pages load their tools from
 */
export const structureWith =
  (serviceOrigin: string): StructureResolver =>
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
            // Not the list of all documents of a type: that one would take every link to a site, and show what belongs to
            // it. A new site, or one that another document names, opens with its form.
            S.documentList()
              .title('Sites')
              .apiVersion(API_VERSION)
              .schemaType('site')
              .filter('_type == "site"')
              .canHandleIntent(() => false)
              .initialValueTemplates([S.initialValueTemplateItem('site')])
              .child((siteId) => siteContents(S, context, siteId, serviceOrigin)),
          ),
        S.divider(),
        S.documentTypeListItem('tool').title('All tools'),
        S.documentTypeListItem('formTool').title('All form tools'),
      ])
