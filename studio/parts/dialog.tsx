import {Dialog, type DialogProps} from '@sanity/ui'
import {type ComponentProps, useEffect, useState} from 'react'

/** What had the focus before the dialog that is open, or before the one that it replaced. */
let opener: Element | null = null

/** Sanity's dialog, which gives the focus back to the button that opened it. Sanity's own leaves it nowhere. */
export function StudioDialog(props: DialogProps & ComponentProps<typeof Dialog>) {
  useState(() => {
    const focused = document.activeElement
    if (focused?.closest('[role=dialog]') === null) opener = openerOf(focused)
  })
  useEffect(() => () => giveBack(opener), [])
  return <Dialog {...props} />
}

/** The button of a menu, if the dialog opens before its menu has given the focus back: the menu goes. */
function openerOf(focused: Element): Element {
  const button = focused.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return (button ? document.getElementById(button) : undefined) ?? focused
}

function giveBack(element: Element | null): void {
  // A dialog that replaces this one takes the focus first.
  requestAnimationFrame(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && element instanceof HTMLElement && element.isConnected) element.focus()
  })
}
