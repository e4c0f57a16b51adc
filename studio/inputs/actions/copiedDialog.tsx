import {Button, Flex, Stack} from '@sanity/ui'
import {useState} from 'react'
import {toolOfCopied} from '../../../making/copied/copiedTool.ts'
import type {Fields} from '../../../schemas/record.ts'
import {StudioDialog} from '../../parts/dialog.tsx'
import {Field} from '../../parts/fields.tsx'
import {Note} from '../../parts/layout.tsx'

export type FillDialogProps = {
  /** The addresses of the site: requests to them are relative to the page. */
  addresses: readonly string[]
  onFill: (fields: Fields) => void
  onClose: () => void
}

/** Fills in a request from what browsers and documents offer to copy. */
export function CopiedDialog({
  addresses,
  onFill,
  onClose,
  request,
}: FillDialogProps & {
  /** What the tool has already. */
  request: unknown
}) {
  const [command, setCommand] = useState('')
  const tool = toolOfCopied(command, addresses, request)
  return (
    <StudioDialog header="Fill in from a copied request" id="handrail-copied" onClose={onClose} width={1}>
      <Stack gap={4}>
        <Field
          hint="In your browser's developer tools, under Network, right-click the request and choose “Copy as fetch” or “Copy as cURL”, on Windows “Copy as cURL (bash)”."
          label="Command"
          onChange={setCommand}
          rows={6}
          spellCheck={false}
          value={command}
        />
        {command.trim() !== '' && !tool.ok && <Note tone="critical">{tool.problem}</Note>}
        {tool.ok && tool.value.leftOut.length > 0 && (
          <Note>
            Left out: {tool.value.leftOut.join(', ')}. Browsers send most headers themselves, and secrets do
            not belong in a tool. If the server needs another one, add it under “Headers”.
          </Note>
        )}
        <Flex justify="flex-end">
          <Button disabled={!tool.ok} onClick={() => tool.ok && onFill(tool.value.fields)} text="Fill in" />
        </Flex>
      </Stack>
    </StudioDialog>
  )
}
