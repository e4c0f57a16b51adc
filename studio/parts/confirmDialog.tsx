import {Flex, Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {StudioDialog} from './dialog.tsx'
import {PaneButton} from './smallButton.tsx'

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
