import {Button, Flex, Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {StudioDialog} from '../../parts/dialog.tsx'
import {Note} from '../../parts/note.tsx'
import {useSubmission} from '../useSubmission.ts'

type FormDialogProps = {
  title: string
  /** The label of the button that sends the form. */
  action: string
  isComplete: boolean
  /** Sends the form. An error's message is shown in the dialog. */
  send: () => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog, which stays open when the lake refuses what it sends. */
export function FormDialog({title, action, isComplete, send, onClose, children}: FormDialogProps) {
  const {problem, isBusy, submit} = useSubmission(send)
  return (
    <StudioDialog header={title} id="people-form" onClose={onClose} width={1}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete && !isBusy) submit()
        }}
      >
        <Stack gap={5}>
          {children}
          {problem !== undefined && (
            <div role="alert">
              <Note tone="critical">{problem}</Note>
            </div>
          )}
          <Flex gap={2} justify="flex-end">
            <Button fontSize={1} mode="bleed" onClick={onClose} text="Cancel" />
            <Button
              data-testid="people-send"
              disabled={!isComplete || isBusy}
              fontSize={1}
              text={action}
              type="submit"
            />
          </Flex>
        </Stack>
      </form>
    </StudioDialog>
  )
}
