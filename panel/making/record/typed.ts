import type {Choice} from '../../../making/inputs.ts'
import {secretKindOf} from '../../../schemas/rules/names/secrets.ts'
import {all} from '../../../snippet/page.ts'
import {choicesOf, type FormControl, isControl, textOfButton, WITHOUT_VALUE} from '../../forms/controls.ts'

/** The texts that were typed last, the newest first. */
const MAX_TYPED = 30

/** Fields for passwords, codes and cards: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill */
const SECRET = [
  '[type=password i]',
  ...['one-time-code', '-password', 'cc-'].map((token) => `[autocomplete*="${token}" i]`),
].join()

/** What a person typed. */
export type Typed = {
  /** What they typed, and what is in the fields now. */
  texts(): string[]
  /** What was in fields for passwords, codes and cards. It is in no tool. */
  secrets(): string[]
  /** The choices of a field from which a value was chosen. Of several fields, that with the name counts. */
  choicesOf(value: string, name: string): readonly Choice[] | undefined
  /** The text of the button or link that they pressed less than a moment ago. */
  pressed(): string
}

/** Milliseconds from a click until the request that it causes. */
const MOMENT = 1_000
const PRESSED = 'button, a, summary, [role=button], [role=menuitem], input[type=submit], input[type=button]'

/**
 * Remembers what a person types into the fields of the page, in the memory of the tab.
 * @returns what was typed, and a function that ends it
 */
export function watchTyped(): {typed: Typed; end: () => void} {
  let texts: string[] = []
  let secrets: string[] = []
  let chosen: readonly Chosen[] = []
  let last = {text: '', at: 0}
  /** A button may have shown the password of some. */
  const seen = new WeakSet<Element>()
  const isSecret = (field: FormControl) => {
    const kind = secretKindOf(field.name || field.id)
    if (field.matches(SECRET) || (kind !== undefined && kind !== 'unsure')) seen.add(field)
    return seen.has(field)
  }
  const textsOf = (fields: Iterable<EventTarget>, secret: boolean) =>
    [...fields].flatMap((field) => {
      return isControl(field) && isSecret(field) === secret
        ? [textIn(field)].filter((text) => text !== '')
        : []
    })
  const inPage = () => all('input, select, textarea')
  const added = (more: readonly string[], known: readonly string[]) =>
    [...new Set([...more, ...known])].slice(0, MAX_TYPED)
  const noted = (event: Event) => {
    const target = event.composedPath().slice(0, 1)
    const [element] = target
    const pressed = event.type === 'click' && element instanceof Element && element.closest(PRESSED)
    if (pressed) last = {text: textOfButton(pressed), at: event.timeStamp}
    texts = added(textsOf(target, false), texts)
    chosen = [...choicesIn(target), ...chosen].slice(0, MAX_TYPED)
    // Not while somebody types: the beginning of a secret may be a word.
    if (event.type !== 'input') secrets = added(textsOf([...target, ...inPage()], true), secrets)
  }
  const end = new AbortController()
  for (const type of ['input', 'change', 'click', 'submit'])
    addEventListener(type, noted, {capture: true, passive: true, signal: end.signal})
  return {
    typed: {
      texts: () => [...texts, ...textsOf(inPage(), false)],
      secrets: () => [...secrets, ...textsOf(inPage(), true)],
      choicesOf: (value, name) => {
        const found = [...choicesIn(inPage()), ...chosen].filter((one) => one.value === value)
        const named = found.filter((one) => one.name === name)
        const [first, ...others] = named.length > 0 ? named : found
        return others.every((one) => one.name === first?.name) ? first?.choices : undefined
      },
      pressed: () => (performance.now() - last.at < MOMENT ? last.text : ''),
    },
    end: () => end.abort(),
  }
}

/** A value, and what a person could choose instead. */
type Chosen = {readonly name: string; readonly value: string; readonly choices: readonly Choice[]}

function choicesIn(fields: Iterable<EventTarget>): Chosen[] {
  return [...fields].filter(isControl).flatMap((field) => {
    const group =
      field.type === 'radio' ? [...(field.form?.elements ?? all('input'))].filter(isControl) : [field]
    const choices =
      choicesOf(group.filter(({type, name}) => type === field.type && name === field.name)) ?? []
    const value = textIn(field)
    const isChoice = choices.length > 1 && choices.some((choice) => choice.value === value)
    return isChoice ? [{name: field.name, value, choices}] : []
  })
}

/** What a person has typed into a field, or chosen. */
export function textIn(field: FormControl): string {
  if (WITHOUT_VALUE.includes(field.type)) return ''
  const isUnchecked =
    field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type) && !field.checked
  return isUnchecked ? '' : field.value.trim()
}
