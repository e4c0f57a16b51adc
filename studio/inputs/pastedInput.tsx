import {Box} from '@sanity/ui'
import type {ClipboardEvent, ReactNode} from 'react'
import {type StringInputProps, set} from 'sanity'
import {originIn} from '../../schemas/rules/origin.ts'
import {pathOfAddress} from '../../schemas/rules/paths/pathPattern.ts'

/** For fields that need a part of an address, the function that finds this part in a copied one. */
const PARTS: Readonly<Record<string, (copied: string) => string | undefined>> = {
  'addresses.[]': originIn,
  'exposedTo.[]': originIn,
  pathPattern: pathOfAddress,
  pagePath: pathOfAddress,
}

/** A field into which an address can be pasted as it was copied. What is pasted into other text stays as it is. */
export function PastedInput({input, children}: {input: StringInputProps; children: ReactNode}) {
  const part = PARTS[input.path.map((name) => (typeof name === 'string' ? name : '[]')).join('.')]
  if (part === undefined) return children
  const paste = (event: ClipboardEvent) => {
    const found = part(event.clipboardData.getData('text/plain'))
    if (found === undefined || input.readOnly === true || !replacesAll(event.target)) return
    event.preventDefault()
    input.onChange(set(found))
  }
  return <Box onPasteCapture={paste}>{children}</Box>
}

/** Whether pasting replaces the whole text of a field. */
function replacesAll(target: EventTarget): boolean {
  if (!(target instanceof HTMLInputElement)) return false
  const {value, selectionStart, selectionEnd} = target
  return value.trim() === '' || (selectionStart === 0 && selectionEnd === value.length)
}
