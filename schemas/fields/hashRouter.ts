import {field, parseSwitch} from '../field.ts'

export const hashRouter = field({
  name: 'hashRouter',
  type: 'boolean',
  title: 'Pages after “#”',
  description:
    'Your pages have addresses such as https://www.example.com/#/cart: /cart is then the page in patterns. After a change, copy the script tag from “Install” once more.',
  form: {fieldset: 'more', initialValue: false},
  parse: parseSwitch,
})
