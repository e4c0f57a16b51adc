import type {Recipe} from './recipe.ts'

/** The fields of a form tool that a recipe fills in. */
type FormToolFields = {
  readonly name: string
  readonly description: string
  readonly pagePath: string
  readonly selector: string
  readonly autosubmit: boolean
}

/** Recipes for form tools, in the order of the menu. */
export const FORM_TOOL_RECIPES: readonly Recipe<FormToolFields>[] = [
  {
    id: 'visitorSends',
    title: 'A form that the visitor sends, such as a contact form',
    fields: {
      name: 'writeToUs',
      description:
        'Fills in a message to the people of this website. The visitor reads it and sends it. They reply by email.',
      pagePath: '/contact',
      selector: 'form#your-form',
      autosubmit: false,
    },
  },
  {
    id: 'agentSends',
    title: 'A form that the agent sends, such as a filter',
    fields: {
      name: 'filterList',
      description:
        'Shows only those entries of the list on this page that contain certain words. Returns their names.',
      pagePath: '/your-list',
      selector: 'form#your-filter',
      autosubmit: true,
    },
  },
]
