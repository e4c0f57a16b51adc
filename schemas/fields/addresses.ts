import {field} from '../field.ts'
import {parseAddresses} from '../rules/origin.ts'
import {ORIGINS} from './exposedTo.ts'

export const addresses = field({
  name: 'addresses',
  type: 'array',
  title: 'Addresses',
  description:
    'Where the site lives, such as "www.example.com", so that Studio can open its pages. You can paste the address of any of its pages. Visitors and agents do not see this.',
  ...ORIGINS,
  entry: {type: 'string', schema: {maxLength: 2_000}},
  parse: parseAddresses,
  decidesCode: true,
})
