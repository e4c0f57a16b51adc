import {ClipboardIcon} from '@sanity/icons/Clipboard'
import {defineField, defineType} from '@sanity/types'
import {LANGUAGES, languageTextsField} from './fields/languageTexts.ts'
import {offeredWhileField} from './fields/offeredWhile.ts'
import {entry, line, lines, listing, nameField, requires, sharedFields} from './fields/shared.ts'
import {testsField} from './fields/tests.ts'
import {parseFormFields} from './rules/formFields.ts'
import {parsePathPattern} from './rules/paths/pathPattern.ts'
import {parseSelector} from './rules/selector.ts'
import {keeps} from './validation.ts'

const field = entry(
  'field',
  'Field',
  [
    line(
      'name',
      'Name in the page',
      'The "name" of the field in the HTML of the page. If you do not know it, ask the person who builds the site.',
      {validation: (rule) => rule.required()},
    ),
    line('title', 'Title', 'A short name for the field, such as "Delivery date".'),
    lines(
      'description',
      'Description',
      3,
      'What to put into the field, such as "The day of the delivery, at least two days from now".',
    ),
  ],
  {
    select: {name: 'name', title: 'title', description: 'description'},
    prepare: ({name, title, description}) => ({title: title ?? name, subtitle: description ?? name}),
  },
)

/** A tool that is a form on the page: the browser takes the arguments from the form's own fields. */
export const formTool = defineType({
  name: 'formTool',
  type: 'document',
  title: 'Form tool',
  icon: ClipboardIcon,
  groups: [
    {name: 'about', title: 'About', default: true},
    {name: 'form', title: 'Form'},
    {name: 'tests', title: 'Tests'},
  ],
  fieldsets: [LANGUAGES],
  fields: [
    nameField,
    ...sharedFields,
    line(
      'pagePath',
      'Page path',
      'The page with the form, such as "/contact". Wildcards work too: "/products/**" is that page and all pages below it.',
      {group: 'form', validation: requires(parsePathPattern)},
    ),
    line(
      'selector',
      'Selector',
      'A CSS selector that finds the form on the page, such as "#contact" or "form[name=contact]". The first form that matches is used.',
      {group: 'form', validation: requires(parseSelector)},
    ),
    defineField({
      name: 'autosubmit',
      type: 'boolean',
      title: 'Submit without asking',
      group: 'form',
      description:
        'Off: the agent fills in the form, and the visitor submits it. On: the agent submits it without asking. Leave this off if submitting has consequences.',
      initialValue: false,
    }),
    defineField({
      name: 'fields',
      type: 'array',
      title: 'Fields',
      group: 'form',
      description:
        'Agents read the labels of the form. Describe a field here if its label does not say enough. Fields that are not in this list work too.',
      of: [field],
      validation: (rule) => rule.custom(keeps(parseFormFields)),
    }),
    offeredWhileField('form'),
    languageTextsField('form'),
    testsField,
  ],
  ...listing('pagePath', 'Page path'),
})
