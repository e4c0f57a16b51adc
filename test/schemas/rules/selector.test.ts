import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseSelector} from '../../../schemas/rules/selector.ts'
import {accepted, problemOf} from './problem.ts'

// Both lists were compared with what `querySelector` of Chromium 156 accepts. Selectors in REFUSED that
// Chromium accepts are marked.
const ACCEPTED = [
  'form',
  '#contact',
  'form#contact.wide',
  'form[name=contact]',
  'form[name="contact" i]',
  "form[action$='/search']",
  '.page main > form ~ form + form',
  'form, .form',
  'form:has(> input[type="email"])',
  'form:not(.search, #login)',
  ':is(main, aside) form',
  'form:nth-of-type(2n+1)',
  'form:nth-child(2 of .shown)',
  ':scope > form',
  '.sm\\:wide',
  '#\\31 st',
  'dialog:open form',
  'form:-webkit-autofill',
]
for (const selector of ACCEPTED) {
  test(`"${selector}" is a selector`, () => assert.equal(accepted(parseSelector(selector)), selector))
}

const REFUSED: [selector: unknown, problem: RegExp][] = [
  [undefined, /missing/],
  [1, /must be text/],
  ['', /empty/],
  ['form[', /expected attribute name, at character 5/],
  ['form,', /end of input/],
  ['> form', /expected rule but ">" found, at character 1/],
  ['form >> input', /">" found/],
  ['form || input', /"\|\|"/],
  ['#1st', /expected ID name/],
  ['form[data-step=1]', /expected attribute value/],
  ['form[name=contact s]', /modifier "s"/],
  ['form:contains("Send")', /unknown pseudo-class: "contains"/],
  ['form:visible', /unknown pseudo-class/],
  ['form:blank', /":blank"/],
  ['form:has(:has(a))', /":has" within ":has"/],
  ['svg|form', /amespace/],
  ['form:not(', /end of input/],
  ['form { color: red }', /"\{" found/],
  ['//form', /"\/" found/],
  [`.${'x'.repeat(1000)}`, /1,000/],
  [`${':not('.repeat(190)}a${')'.repeat(40)}`, /Browsers cannot read this selector/],
  // Chromium accepts these, but they select no form.
  ['form::before', /pseudo elements are not enabled/],
  ['& form', /esting selector/],
  // Chromium accepts these, too: it closes what was left open at the end.
  ['form[name="contact"', /Browsers cannot read this selector/],
]
for (const [selector, problem] of REFUSED) {
  test(`${JSON.stringify(selector)?.slice(0, 40)} is refused as a selector: ${problem.source}`, () => {
    assert.match(problemOf(parseSelector(selector)) ?? '', problem)
  })
}
