import {isJsonObject} from '../../common/json.ts'
import type {State} from '../../content/state/state.ts'
import type {Accounts} from '../access/accounts.ts'
import type {Administration} from '../access/administration.ts'

const ERASED = 'an erased person'

/** A person as stored texts name them. */
type Person = {readonly id: string; readonly name: string; readonly email: string}

/**
 * Removes an editor, and the name and address of an editor or a former one from the audit log and from the history of reviews. Their
 * id stays. Git's history is not changed.
 * @returns the text to print
 * @throws Error with the text to print, if no editor has the address, or requests for reviews name the person
 */
export async function erasePerson(
  email: string,
  {state, accounts, administration}: {state: State; accounts: Accounts; administration: Administration},
): Promise<string> {
  const editor = accounts.byEmail(email)
  const {id} = editor ?? formerEditor(state, email) ?? {}
  if (id === undefined) throw new Error(`No editor or former editor has the address ${email}`)
  const open = state.all('SELECT id FROM draft WHERE instr(document, ?)', JSON.stringify(id))
  if (open.length > 0)
    throw new Error(
      `Requests for reviews name this person. Publish them, send them back or withdraw them first: ${open.map((row) => row.id).join(', ')}`,
    )
  if (editor !== undefined) await administration.removeEditor(email)
  const changed = state.transaction(() => {
    state.run('DELETE FROM session WHERE editor_id = ?', id)
    return ['audit_event.event', 'draft_step.before', 'draft_step.after'].map((place) =>
      eraseIn(state, place, id),
    )
  })
  const [events = 0, ...steps] = changed
  return (
    `Erased ${email}: ${events} events of the audit log, ${Math.max(...steps)} steps of reviews. ` +
    'Commits in Git keep the name and address, and so do backups from before.'
  )
}

/** Whom the audit log knows by an address. */
function formerEditor(state: State, email: string): {id: string} | undefined {
  const rows = state.all('SELECT event FROM audit_event WHERE instr(lower(event), ?)', email.toLowerCase())
  return rows
    .flatMap(({event}) => peopleIn(JSON.parse(String(event))))
    .find((person) => person.email.toLowerCase() === email.toLowerCase())
}

/** @param place a table and a column with JSON @returns how many rows changed */
function eraseIn(state: State, place: string, id: string): number {
  const [table, column] = place.split('.')
  const sql = `SELECT number, ${column} AS json FROM ${table} WHERE instr(${column}, ?)`
  const rows = state.all(sql, JSON.stringify(id))
  for (const {number, json} of rows) {
    const value: unknown = JSON.parse(String(json))
    const people = peopleIn(value).filter((person) => person.id === id)
    const rest = without(value, id)
    // The sentence of an event.
    const isEvent = table === 'audit_event' && isJsonObject(rest) && typeof rest.text === 'string'
    const text = JSON.stringify(isEvent ? {...rest, text: people.reduce(unnamed, `${rest.text}`)} : rest)
    state.run(`UPDATE ${table} SET ${column} = ? WHERE number = ?`, text, Number(number))
  }
  return rows.length
}

function peopleIn(value: unknown): Person[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(peopleIn)
  if (!isJsonObject(value)) return inner
  const {id, name, email = ''} = value
  return typeof id === 'string' && typeof name === 'string' && typeof email === 'string'
    ? [{id, name, email}, ...inner]
    : inner
}

/** A value in which nothing with this id has a name or an address. */
function without(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, id))
  if (!isJsonObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one, id)]))
  if (value.id !== id || typeof value.name !== 'string') return inner
  return {...inner, name: ERASED, ...('email' in value && {email: ''})}
}

/** A sentence without a name, as a whole word, and an address. */
function unnamed(text: string, {name, email}: Person): string {
  const word = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const shorter = email === '' ? text : text.replaceAll(` (${email})`, '').replaceAll(email, '')
  return name === ''
    ? shorter
    : shorter.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'gu'), ERASED)
}
