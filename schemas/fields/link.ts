import {describeAction} from '../actions/describe.ts'
import {partOfAction} from '../actions/parseAction.ts'
import {field, line} from '../field.ts'
import {onlyIf} from './action.ts'

export const link = field({
  name: 'link',
  type: 'object',
  title: 'Page to open',
  isRequired: true,
  ...onlyIf('link'),
  members: [
    line('address', 'Address', 'Such as "/events/{id}". {id} stands for the parameter “id”.', {
      isRequired: true,
      names: 'in braces',
    }),
  ],
  beyond: ['actions'],
  form: {group: 'work'},
  parse: partOfAction('link'),
  isServed: true,
  isHandedOver: true,
  decidesCode: true,
  rows: describeAction,
})
