import {Button, Flex, Stack} from '@sanity/ui'
import {useState} from 'react'
import {parseCurl} from '../../../schemas/making/curl.ts'
import {proposeName, proposeTool, withResultOf} from '../../../schemas/making/exchange.ts'
import {inputsOf, problemOfBody} from '../../../schemas/making/inputs.ts'
import type {Fields} from '../../../schemas/rules/tool.ts'
import {StudioDialog} from '../../parts/dialog.tsx'
import {TextAreaField} from '../../parts/fields/textAreaField.tsx'
import {Note} from '../../parts/note.tsx'

export type FillDialogProps = {
  /** The addresses of the site: requests to them are relative to the page. */
  addresses: readonly string[]
  onFill: (fields: Fields) => void
  onClose: () => void
}

/** Fills in a request from a command, such as browsers copy it. */
export function CurlDialog({
  addresses,
  onFill,
  onClose,
  request,
}: FillDialogProps & {
  /** What the tool has already. */
  request: unknown
}) {
  const [command, setCommand] = useState('')
  const parsed = parseCurl(command)
  const problem = parsed.ok ? problemOfBody(parsed.value.exchange) : parsed.problem
  const fill = () => {
    if (!parsed.ok) return
    const {exchange} = parsed.value
    const {origin: asked} = new URL(exchange.address)
    const origin = addresses.some((address) => URL.parse(address)?.origin === asked) ? asked : ''
    const inputs = inputsOf(exchange)
    const tool = withResultOf(request, proposeTool(exchange, {origin, inputs}))
    onFill({...tool, name: proposeName(exchange, inputs)})
  }
  return (
    <StudioDialog header="Fill in from a cURL command" id="handrail-curl" onClose={onClose} width={1}>
      <Stack gap={4}>
        <TextAreaField
          hint="In your browser's developer tools, under Network, right-click the request and choose “Copy as cURL”. On Windows, both (cmd) and (bash) will do."
          label="Command"
          onChange={setCommand}
          rows={6}
          spellCheck={false}
          value={command}
        />
        {command.trim() !== '' && problem !== undefined && <Note tone="critical">{problem}</Note>}
        {parsed.ok && parsed.value.leftOut.length > 0 && (
          <Note>
            Left out: {parsed.value.leftOut.join(', ')}. Visitors’ browsers set such headers themselves, and
            secrets do not belong into a tool.
          </Note>
        )}
        <Flex justify="flex-end">
          <Button disabled={problem !== undefined} onClick={fill} text="Fill in" />
        </Flex>
      </Stack>
    </StudioDialog>
  )
}
