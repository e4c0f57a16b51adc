import {Box, Button, Flex, Stack, TextInput} from '@sanity/ui'
import {type ReactNode, useState} from 'react'
import {Note} from '../../install/parts.tsx'
import {StudioDialog} from '../../parts/dialog.tsx'
import {Labelled} from '../../parts/labelled.tsx'

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
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = () => {
    setBusy(true)
    setProblem(undefined)
    send()
      .catch((error: Error) => setProblem(error.message))
      .finally(() => setBusy(false))
  }
  return (
    <StudioDialog header={title} id="people-form" onClose={onClose} width={1}>
      <Box
        as="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete && !isBusy) submit()
        }}
        padding={4}
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
      </Box>
    </StudioDialog>
  )
}

type FieldProps = {
  label: string
  hint?: string
  type?: 'text' | 'email'
  value: string
  onChange: (value: string) => void
}

/** A text field with its label. */
export function Field({label, hint, type = 'text', value, onChange}: FieldProps) {
  return (
    <Labelled hint={hint} label={label}>
      {(id) => (
        <TextInput
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          autoComplete="off"
          fontSize={1}
          id={id}
          onChange={(event) => onChange(event.currentTarget.value)}
          type={type}
          value={value}
        />
      )}
    </Labelled>
  )
}
