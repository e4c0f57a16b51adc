import type {Template} from 'sanity'

/** The id of the template for a new document of a type on a given site. */
export function ofSite(type: SiteDocumentType): string {
  return `${type}OfSite`
}

/** The types whose documents belong to a site. */
export type SiteDocumentType = 'tool' | 'formTool'

/** Adds templates that fill in the site to Studio's own. */
export function templates(own: Template[]): Template[] {
  return [...own, template('tool', 'Tool'), template('formTool', 'Form tool')]
}

function template(type: SiteDocumentType, title: string): Template<{siteId: string}, object> {
  return {
    id: ofSite(type),
    title,
    schemaType: type,
    parameters: [{name: 'siteId', type: 'string'}],
    value: ({siteId}: {siteId: string}) => ({site: {_type: 'reference', _ref: siteId}}),
  }
}
