import {makeDiff, xIndex} from '@sanity/diff-match-patch'
import {useLayoutEffect} from 'react'

/**
 * Keeps the selection of the text field that has the focus where it was in the text, when somebody else changes that
 * text. A browser moves it to the end. Call it in a component that renders whenever the text may change.
 */
export function useKeptCaret(): void {
  const before = focused()
  useLayoutEffect(() => {
    const after = focused()
    if (before === undefined || after?.field !== before.field || after.text === before.text) return
    const diffs = makeDiff(before.text, after.text)
    const [start, end] = [xIndex(diffs, before.start), xIndex(diffs, before.end)]
    after.field.setSelectionRange(start, end, before.direction)
  })
}

/** The text field that has the focus, its text and what is selected. */
function focused() {
  const field = document.activeElement
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  // Fields of other types, such as numbers, have no selection.
  if (!isField || field.selectionStart === null || field.selectionEnd === null) return undefined
  const {value: text, selectionStart: start, selectionEnd: end} = field
  return {field, text, start, end, direction: field.selectionDirection ?? undefined}
}
