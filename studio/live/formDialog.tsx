import {Button, Flex, Stack} from '@sanity/ui'
import {type ReactNode, useState} from 'react'
import {StudioDialog} from '../parts/dialog.tsx'
import {Note, PaneButton} from '../parts/layout.tsx'
import {errorWords} from '../saving/errorWords.ts'

type SubmitFormProps = {
  /** The label of the button that sends the form. */
  action: string
  isComplete: boolean
  /** Sends the form. An error's message is shown. */
  send: () => Promise<unknown>
  children: ReactNode
}

/** A form that stays as it is, and says what is wrong, when the lake refuses what it sends. */
export function SubmitForm(props: SubmitFormProps & {testId?: string; onCancel?: () => void}) {
  const {action, isComplete, send, children, testId, onCancel} = props
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isDisabled = !isComplete || isBusy
  const submit = () => {
    setBusy(true)
    setProblem(undefined)
    send()
      .catch((error: unknown) => setProblem(errorWords(error)))
      .finally(() => setBusy(false))
  }
  return (
    <form
      data-testid={testId}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isDisabled) submit()
      }}
    >
      <Stack gap={4}>
        {children}
        {problem !== undefined && (
          <div role="alert">
            <Note tone="critical">{problem}</Note>
          </div>
        )}
        <Flex gap={2} justify={onCancel === undefined ? 'flex-start' : 'flex-end'}>
          {onCancel && <PaneButton mode="bleed" onClick={onCancel} text="Cancel" />}
          <Button data-testid="form-send" disabled={isDisabled} fontSize={1} text={action} type="submit" />
        </Flex>
      </Stack>
    </form>
  )
}

export type FormDialogProps = SubmitFormProps & {title: string; onClose: () => void}

/** A form in a dialog. */
export function FormDialog({title, onClose, ...form}: FormDialogProps) {
  return (
    <StudioDialog header={title} id="handrail-form" onClose={onClose} width={1}>
      <SubmitForm {...form} onCancel={onClose} />
    </StudioDialog>
  )
}
