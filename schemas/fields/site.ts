import {field} from '../field.ts'
import {isRecord} from '../record.ts'
import {accept, refuse} from '../rules/parsed.ts'

/** The site of a tool or form tool. */
export const site = field({
  name: 'site',
  type: 'reference',
  title: 'Site',
  description:
    'The site whose pages offer this tool. To change it, choose “Move to another site” in the menu of this form.',
  inFiles: 'Write {"_type": "reference", "_ref": "…"} with the _id of a site.',
  isRequired: true,
  form: {
    group: 'about',
    to: [{type: 'site'}],
    // The button “Create” in the field would make another site.
    options: {disableNew: true},
    // A document that is pasted into this form would bring its own site along, unless the field is read-only.
    readOnly: ({value}) => value !== undefined,
  },
  parse: (value) =>
    isRecord(value) && typeof value._ref === 'string' && value._ref !== ''
      ? accept(value._ref)
      : refuse(
          'The site is missing: choose one. In a file, write "site": {"_type": "reference", "_ref": "…"} with the _id of a site.',
        ),
  decidesCode: true,
})
