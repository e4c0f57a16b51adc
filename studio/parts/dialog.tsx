import {Dialog, type DialogProps} from '@sanity/ui'
import {type ComponentProps, useEffect} from 'react'

/**
 * What had the focus last outside of dialogs and menus. A menu goes when its item opens a dialog, and does not always give
 * the focus back to its button before.
 */
let opener: Element | undefined
globalThis.document?.addEventListener('focusin', ({target}) => {
  if (target instanceof Element && target.closest('[role=dialog], [role=menu]') === null) opener = target
})

/** Sanity's dialog, which gives the focus back to the button that opened it. Sanity's own leaves it nowhere. */
export function StudioDialog(props: DialogProps & ComponentProps<typeof Dialog>) {
  useEffect(() => giveBack, [])
  return <Dialog {...props} />
}

function giveBack(): void {
  // A dialog that replaces this one takes the focus first.
  requestAnimationFrame(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
  })
}
