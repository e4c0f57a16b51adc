import {nameFromWords} from '../../../making/names.ts'
import {controlsOf, fieldLabelOf, labelOf, submitButtonOf, usableIn} from '../../forms/controls.ts'
import type {PageForm} from '../../forms/pageForms.ts'
import {thingNamed} from '../../forms/thisPage.ts'

/** Fields that a description names. */
const MAX_NAMED = 10

const MAX_WORDS = 5

/** The form tool that a form of the page can be. @param texts what agents read about its fields, by their names */
export function formToolOf(form: PageForm, texts: Readonly<Record<string, string>> = textsFor(form)) {
  const {button, fields, selector, isSearch, isOfSite} = form
  const thing = thingNamed(form.heading)
  // What all pages have says little about a search, which is of the whole website.
  const heading = thing || (isSearch && (isOfSite || isSearchAlone(form.heading))) ? '' : form.heading
  const described = Object.entries(texts).flatMap(([name, text]) =>
    text.trim() === '' ? [] : [{name, description: text.trim()}],
  )
  const named = fields.slice(0, MAX_NAMED).join(', ')
  const title = heading ? ` “${heading}”` : ''
  return {
    type: 'formTool' as const,
    name:
      nameFromWords(wordsFor({...form, heading: thing ?? heading})) ||
      (isSearch ? 'searchSite' : 'submitForm'),
    description: isSearch
      ? `Searches${title || ' this website'} by ${named}, and opens the results.`
      : `Fills in the form${title || ` of ${thing && thing !== 'page' ? `the ${thing} on the` : 'this'} page`}: ${named}. The visitor presses “${button || 'Submit'}”.`,
    pages: isOfSite ? '/**' : undefined,
    fields: {
      selector,
      // A search changes nothing, so the visitor need not press its button.
      ...(isSearch && {autosubmit: true}),
      ...(described.length > 0 && {fields: described}),
    },
  }
}

/** What agents need to read about fields: browsers do not know a label that is only next to its field. */
export function textsFor({element}: PageForm): Readonly<Record<string, string>> {
  const unlabelled = controlsOf(element).filter(
    (control) => control.type !== 'radio' && labelOf(control) === '',
  )
  return Object.fromEntries(
    unlabelled.flatMap((control) => {
      const label = fieldLabelOf(control)
      return label === control.name ? [] : [[control.name, label]]
    }),
  )
}

/** Buttons that any form may have. */
const SAYS_LITTLE =
  /^(?:send|submit|ok|save|go|continue|next|senden|absenden|weiter|speichern|envoyer|enviar)?$/i

const SAYS_HOW = /^(?:send|submit|save|senden|absenden|speichern|envoyer|enviar)$/i

/** A heading that begins with a verb. */
const SAYS_ACTION =
  /^(?:add|apply|ask|book|buy|change|create|edit|enter|find|get|join|leave|make|order|post|register|reply|report|request|reserve|send|start|submit|subscribe|suggest|tell|track|update|write)\b|^\p{L}+ (?:an?|the|your|us|our|new|ein\w*|das|den?|die|une?|el|las?|les?|los)\b/iu

/** What the label of a field of a search begins with. */
const SAYS_SEARCH = /^(?:search|find|look for|suchen?|finde)(?: for| our| the| in| nach)?\s+/i

/** Whether a heading says only that something is looked up. */
function isSearchAlone(heading: string): boolean {
  return SAYS_SEARCH.test(`${heading} `) && !/\s/.test(heading)
}

/** “Send” says less than the heading of its form, and “Add to cart” says all. */
function wordsFor({button, heading, fields, isSearch}: PageForm): string {
  const isPhrase = (text: string) => /\S\s+\S/.test(text)
  const label = fields.find((field) => isPhrase(field) && SAYS_SEARCH.test(field))
  const verb =
    SAYS_LITTLE.test(button) || isSearchAlone(button) || !/[A-Za-z]{2}/.test(button) ? 'search' : button
  const text = isPhrase(button)
    ? button
    : isSearch
      ? `${verb} ${heading || label?.replace(SAYS_SEARCH, '') || 'site'}`
      : SAYS_ACTION.test(heading)
        ? heading
        : isPhrase(heading) && SAYS_LITTLE.test(button)
          ? `${SAYS_HOW.test(button) ? button : 'send'} ${heading}`
          : `${button || 'submit'} ${heading}`
  const words = text.split(/\s+/)
  return words
    .filter((word, at) => word.toLowerCase() !== words[at - 1]?.toLowerCase())
    .slice(0, MAX_WORDS)
    .join(' ')
}

/** Why agents cannot use a form; undefined: they can. */
export function problemOfForm({element, isSearch}: PageForm): string | undefined {
  return isSearch || submitButtonOf(element)
    ? undefined
    : 'Agents cannot use this form, because only a script sends it: it has no submit button. Send it once, and use its request.'
}

/** Whether agents may be offered a form that is not a tool yet. */
export function isOffered({tool, element}: PageForm): boolean {
  return !tool && !isForAccounts(element) && !choosesRows(element)
}

/** Sign-in and registration are the visitor's own. */
function isForAccounts(form: HTMLFormElement): boolean {
  return controlsOf(form).some(
    ({type, autocomplete}) => type === 'password' || /password|one-time/.test(autocomplete),
  )
}

/** Whether its boxes choose rows of a table, for what its buttons do. */
function choosesRows(form: HTMLFormElement): boolean {
  return controlsOf(form).some((control) => {
    const row = control.type === 'checkbox' ? control.closest('tr') : undefined
    return (
      row?.querySelector('a[href]') &&
      usableIn([...row.querySelectorAll('*')]).every(({type}) => /^(?:checkbox|radio)$/.test(type))
    )
  })
}
