import {ClipboardIcon} from '@sanity/icons/Clipboard'
import {defineField, defineType} from '@sanity/types'
import {advises} from './advice/validation.ts'
import {describeTool, ORDERINGS, sharedFields} from './fields.ts'
import {parsePathPattern} from './rules/paths/pathPattern.ts'
import {parseSelector} from './rules/selector.ts'
import {keeps} from './validation.ts'

/** A tool that is a form on the page: the browser takes the arguments from the form's own fields. */
export const formTool = defineType({
  name: 'formTool',
  type: 'document',
  title: 'Form tool',
  icon: ClipboardIcon,
  groups: [
    {name: 'about', title: 'About', default: true},
    {name: 'form', title: 'Form'},
  ],
  fields: [
    ...sharedFields,
    defineField({
      name: 'pagePath',
      type: 'string',
      title: 'Page path',
      group: 'form',
      description:
        'The page with the form, such as "/contact". Wildcards work too: "/products/**" is that page and all pages below it.',
      validation: (rule) => [
        rule.required().custom(keeps(parsePathPattern)),
        rule.custom(advises('pagePath')).warning(),
      ],
    }),
    defineField({
      name: 'selector',
      type: 'string',
      title: 'Selector',
      group: 'form',
      description:
        'A CSS selector that finds the form on the page, such as "#contact" or "form[name=contact]". The first match is used.',
      validation: (rule) => [
        rule.required().custom(keeps(parseSelector)),
        rule.custom(advises('selector')).warning(),
      ],
    }),
    defineField({
      name: 'autosubmit',
      type: 'boolean',
      title: 'Submit without asking',
      group: 'form',
      description:
        'Off: the agent fills in the form, and the visitor submits it. On: the agent submits it without asking. Leave this off if submitting has consequences.',
      initialValue: false,
    }),
  ],
  orderings: [
    ...ORDERINGS,
    {name: 'pagePath', title: 'Page path', by: [{field: 'pagePath', direction: 'asc'}]},
  ],
  preview: {
    select: {name: 'name', pagePath: 'pagePath', enabled: 'enabled'},
    prepare: ({name, pagePath, enabled}) => ({title: name, subtitle: describeTool(pagePath, enabled)}),
  },
})
