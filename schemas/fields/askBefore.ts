import {choicesOf, field} from '../field.ts'
import {type AskBefore, parseAskBefore} from '../rules/hints/askBefore.ts'

export const askBefore = field({
  name: 'askBefore',
  type: 'string',
  title: 'Ask the visitor first',
  description:
    'When an agent calls a tool, the page can ask the visitor before it runs, and shows what the agent filled in. The hints “Consequential” and “Read-only” of a tool decide whether it counts. For a form tool, its name decides: the agent fills in the form, and the visitor submits it. Without a choice, the page does not ask.',
  choices: choicesOf<AskBefore>({
    never: 'Never',
    consequential: 'Before what cannot easily be undone, such as a purchase',
    changes: 'Before everything that is not read-only',
  }),
  form: {fieldset: 'more', options: {layout: 'radio'}, initialValue: 'never'},
  parse: parseAskBefore,
  isServed: true,
  decidesCode: true,
})
