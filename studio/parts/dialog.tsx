import {Box, Dialog, type DialogProps, Flex, Stack} from '@sanity/ui'
import {type ComponentProps, type ReactNode, useEffect} from 'react'
import type {DocumentActionCustomDialogComponentProps} from 'sanity'
import {PaneButton} from './layout.tsx'

/**
 * What had the focus last outside of dialogs and menus. A menu goes when its item opens a dialog, and does not always give
 * the focus back to its button before.
 */
let opener: Element | undefined
globalThis.document?.addEventListener('focusin', ({target}) => {
  if (target instanceof Element && target.closest('[role=dialog], [role=menu]') === null) opener = target
})

/** Sanity's dialog, which gives the focus back to the button that opened it. Sanity's own leaves it nowhere. */
export function StudioDialog({children, ...props}: DialogProps & ComponentProps<typeof Dialog>) {
  useEffect(() => giveBack, [])
  return (
    <Dialog {...props}>
      <Box padding={4}>{children}</Box>
    </Dialog>
  )
}

/** The dialog of an entry in a document's menu. */
export function menuDialog(
  header: string,
  content: ReactNode,
  onClose: () => void,
): DocumentActionCustomDialogComponentProps {
  return {
    type: 'custom',
    component: (
      <StudioDialog header={header} id="handrail-menu-dialog" onClose={onClose} width={0}>
        {content}
      </StudioDialog>
    ),
  }
}

function giveBack(): void {
  // A dialog that replaces this one takes the focus first.
  requestAnimationFrame(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
  })
}

type ConfirmDialogProps = {
  title: string
  /** The label of the button that confirms. */
  action: string
  onConfirm: () => void
  onClose: () => void
  /** What happens then. */
  children: ReactNode
}

/** Asks before something that cannot be undone, or that many people notice. */
export function ConfirmDialog({title, action, onConfirm, onClose, children}: ConfirmDialogProps) {
  return (
    <StudioDialog header={title} id="handrail-confirm" onClose={onClose} width={0}>
      <Stack gap={5}>
        {children}
        <Flex gap={2} justify="flex-end">
          <PaneButton mode="bleed" onClick={onClose} text="Cancel" />
          <PaneButton
            data-testid="confirm"
            onClick={() => {
              onClose()
              onConfirm()
            }}
            text={action}
            tone="critical"
          />
        </Flex>
      </Stack>
    </StudioDialog>
  )
}
