import {TextInput} from '@sanity/ui'
import {type ReactNode, useState} from 'react'

/** Entries of a list that are shown without a search. */
export const MANY = 50

/**
 * Finds entries of a long list by words of their names.
 * @param what such as `a site`
 * @returns also the field to type into; nothing if the list is short
 */
export function useFound<Entry extends {readonly name: string}>(
  entries: readonly Entry[],
  what: string,
): {readonly field: ReactNode; readonly found: readonly Entry[]} {
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const found = entries.filter(({name}) => name.toLowerCase().includes(wanted))
  if (entries.length <= MANY) return {field: null, found: entries}
  const label = `Find ${what} of ${entries.length.toLocaleString('en-US')}`
  const field = (
    <TextInput
      aria-label={label}
      onChange={({currentTarget}) => setWords(currentTarget.value)}
      placeholder={label}
      value={words}
    />
  )
  return {field, found}
}
