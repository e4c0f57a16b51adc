import {ArrowRightIcon} from '@sanity/icons/ArrowRight'
import {BasketIcon} from '@sanity/icons/Basket'
import {DocumentIcon} from '@sanity/icons/Document'
import {DocumentTextIcon} from '@sanity/icons/DocumentText'
import {EnvelopeIcon} from '@sanity/icons/Envelope'
import {EyeOpenIcon} from '@sanity/icons/EyeOpen'
import {SearchIcon} from '@sanity/icons/Search'
import type {ComponentType} from 'react'
import type {Template} from 'sanity'
import type {InitialValueTemplateItemBuilder, StructureBuilder} from 'sanity/structure'
import {referenceToSite} from '../../making/siteReference.ts'
import {FORM_TOOL_RECIPES, type Recipe, TOOL_RECIPES} from '../../schemas/recipes/recipes.ts'
import {textOf} from '../../schemas/rules/text.ts'

/** The types whose documents belong to a site. */
export type SiteDocumentType = 'tool' | 'formTool'

/** The recipe of a document without content. */
const EMPTY = {id: 'empty', fields: {}}

/** The recipes for each type, in the order of the menu. */
const RECIPES: Record<SiteDocumentType, readonly Recipe[]> = {
  tool: [...TOOL_RECIPES, {...EMPTY, title: 'Empty tool'}],
  formTool: [...FORM_TOOL_RECIPES, {...EMPTY, title: 'Empty form tool'}],
}

/** Icons of recipes, by their ids. */
const ICONS: Record<string, ComponentType> = {
  lookUp: SearchIcon,
  details: DocumentTextIcon,
  addToCart: BasketIcon,
  goToPage: ArrowRightIcon,
  readPage: EyeOpenIcon,
  visitorSends: EnvelopeIcon,
  agentSends: SearchIcon,
}

/** Adds templates that fill in the site and the fields of a recipe to Studio's own. */
export function templates(own: Template[]): Template[] {
  return [...own, ...templatesFor('tool'), ...templatesFor('formTool')]
}

/** The menu of new documents of a type. @param siteId undefined: the editor chooses the site in the form */
export function templateItems(
  S: StructureBuilder,
  type: SiteDocumentType,
  siteId?: string,
): InitialValueTemplateItemBuilder[] {
  return RECIPES[type].map(({id}) =>
    S.initialValueTemplateItem(templateId(type, id), siteId === undefined ? {} : {siteId}),
  )
}

/** The menu of new documents of a type on a given site, for a link outside of the structure. */
export function recipesFor(
  type: SiteDocumentType,
): {templateId: string; title: string; about: string; icon: ComponentType}[] {
  return RECIPES[type].map(({id, title, fields}) => ({
    templateId: templateId(type, id),
    title,
    about: textOf(fields.description).replace(/(?<=\.) .*/s, ''),
    icon: iconOf(id),
  }))
}

/** Whether a template is for new documents of a type on a site. */
export function isTemplateFor(type: SiteDocumentType, template: unknown): boolean {
  return RECIPES[type].some(({id}) => template === templateId(type, id))
}

function templatesFor(type: SiteDocumentType): Template<{siteId?: string}, object>[] {
  return RECIPES[type].map(({id, title, fields}) => ({
    id: templateId(type, id),
    title,
    icon: iconOf(id),
    schemaType: type,
    parameters: [{name: 'siteId', type: 'string'}],
    value: ({siteId}: {siteId?: string}) =>
      siteId === undefined ? fields : {...fields, site: referenceToSite(siteId)},
  }))
}

function iconOf(recipeId: string): ComponentType {
  return ICONS[recipeId] ?? DocumentIcon
}

function templateId(type: SiteDocumentType, recipeId: string): string {
  return `${type}OfSite.${recipeId}`
}
