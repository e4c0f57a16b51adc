import {type Declaration, inGroup, LANGUAGES, listing} from './document.ts'
import {autosubmit} from './fields/autosubmit.ts'
import {description} from './fields/description.ts'
import {enabled} from './fields/enabled.ts'
import {formFields} from './fields/formFields.ts'
import {name} from './fields/name.ts'
import {offeredWhile} from './fields/offeredWhile.ts'
import {pagePath} from './fields/pagePath.ts'
import {selector} from './fields/selector.ts'
import {site} from './fields/site.ts'
import {tests} from './fields/tests.ts'
import {formTexts} from './fields/texts.ts'

/** A tool that is a form on the page: the browser takes the arguments from the form's own fields. */
export const formTool: Declaration = {
  name: 'formTool',
  title: 'Form tool',
  fields: [
    name,
    description,
    site,
    enabled,
    pagePath,
    selector,
    autosubmit,
    formFields,
    inGroup('form', offeredWhile),
    inGroup('form', formTexts),
    tests,
  ],
  form: {
    groups: [
      {name: 'about', title: 'About', default: true},
      {name: 'form', title: 'Form'},
      {name: 'tests', title: 'Tests'},
    ],
    fieldsets: [LANGUAGES],
    ...listing('pagePath', 'Page path'),
  },
}
