import {form, type Row, schemaOf} from './row.ts'

const asks = (name: string, description = 'What the shop asks for') => ({
  inputSchema: schemaOf({[name]: {type: 'string', description}}),
  executeJs: `const response = await fetch('/api/check?q=' + args.${name}, {signal})\nreturn response.json()`,
  annotations: {readOnlyHint: 'true'},
})

const NONE = schemaOf({})

/** Mistakes that show with some agents only. */
export const AGENTS: readonly Row[] = [
  // Names
  ['a name of 40 characters', {name: 'findStoresOfOurCompanyNearTheVisitorsHome'}, 'NAME_LONG'],
  ['a name that an agent makes equal to another one', {name: 'open.hours'}, 'NAME_SIMILAR'],
  ['a name with a dot', {name: 'find.store'}, 'NAME_WITH_DOT'],
  ['a name with an underscore and a dash', {name: 'find_the-store'}, {harmless: 'models accept it'}],
  // Hints
  [
    'a tool that only reads, with a name that does not say so',
    {
      inputSchema: NONE,
      name: 'openingHours',
      executeJs: undefined,
      action: 'reading',
      reading: {parts: [{name: 'hours', kind: 'text', selector: '.hours'}]},
    },
    'READ_ONLY_UNSET',
  ],
  // Parameters
  ['a parameter for a password', asks('newPassword'), 'PARAMETER_SENSITIVE'],
  [
    'a field of a form for a password',
    form({fields: [{name: 'user[password]', description: 'The password.'}]}),
    'PARAMETER_SENSITIVE',
  ],
]
