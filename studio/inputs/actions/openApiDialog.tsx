import {Box, Button, Flex, Stack, TextInput} from '@sanity/ui'
import {useEffect, useMemo, useState} from 'react'
import {parseOpenApi} from '../../../schemas/making/openApi.ts'
import {StudioDialog} from '../../parts/dialog.tsx'
import {Labelled} from '../../parts/fields/labelled.tsx'
import {Options} from '../../parts/fields/options.tsx'
import {SelectField} from '../../parts/fields/selectField.tsx'
import {TextAreaField} from '../../parts/fields/textAreaField.tsx'
import {Note} from '../../parts/note.tsx'
import type {FillDialogProps} from './curlDialog.tsx'
import {loadOutside} from './loadOutside.ts'

/** Milliseconds without a typed letter, after which a text is read: that can take a second. */
const PAUSE = 400

/** Fills in a request from an operation of an API that an OpenAPI file describes. */
export function OpenApiDialog({addresses, onFill, onClose}: FillDialogProps) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const api = useMemo(
    () => (settled.trim() === '' ? undefined : parseOpenApi(settled, addresses)),
    [settled, addresses],
  )
  const operations = api?.ok ? api.value.operations : []
  const id = operations.find((operation) => operation.id === chosen)?.id ?? operations[0]?.id
  const tool = useMemo(() => (api?.ok && id !== undefined ? api.value.toolOf(id) : undefined), [api, id])
  return (
    <StudioDialog header="Fill in from an OpenAPI file" id="handrail-openapi" onClose={onClose} width={1}>
      <Stack gap={4}>
        <Labelled label="File">
          {(input) => (
            <input
              accept=".json,.yaml,.yml"
              id={input}
              onChange={(event) => {
                void event.currentTarget.files?.[0]?.text().then(setText)
              }}
              type="file"
            />
          )}
        </Labelled>
        <AddressField onLoad={setText} />
        <TextAreaField
          hint="Or paste the text of the file."
          label="Text"
          onChange={setText}
          rows={6}
          spellCheck={false}
          value={text}
        />
        {api?.ok === false && <Note tone="critical">{api.problem}</Note>}
        {id !== undefined && (
          <SelectField label="Operation" onChange={setChosen} testId="operation" value={id}>
            <Options
              of={operations.map(({id, summary}) => [
                id,
                [id, summary].filter((part) => part !== '').join(': '),
              ])}
            />
          </SelectField>
        )}
        {tool?.ok === false && <Note tone="critical">{tool.problem}</Note>}
        {tool?.ok && tool.value.notes.map((note) => <Note key={note}>{note}</Note>)}
        <Flex justify="flex-end">
          <Button
            disabled={tool?.ok !== true}
            onClick={() => tool?.ok && onFill(tool.value.fields)}
            text="Fill in"
          />
        </Flex>
      </Stack>
    </StudioDialog>
  )
}

/** Loads a file from its address. */
function AddressField({onLoad}: {onLoad: (text: string) => void}) {
  const [address, setAddress] = useState('')
  const [isLoading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string>()
  const load = async () => {
    setLoading(true)
    setProblem(undefined)
    const loaded = await loadOutside(address)
    setLoading(false)
    if (loaded.ok) onLoad(loaded.value)
    else setProblem(loaded.problem)
  }
  return (
    <>
      <Labelled hint="Some websites do not allow others to read their files." label="Address of the file">
        {(input) => (
          <Flex
            as="form"
            gap={2}
            onSubmit={(event) => {
              event.preventDefault()
              event.stopPropagation()
              if (!isLoading) void load()
            }}
          >
            <Box flex={1}>
              <TextInput
                aria-describedby={`${input}-hint`}
                fontSize={1}
                id={input}
                onChange={(event) => setAddress(event.currentTarget.value)}
                spellCheck={false}
                value={address}
              />
            </Box>
            <Button
              disabled={address.trim() === '' || isLoading}
              mode="ghost"
              text={isLoading ? 'Loading…' : 'Load'}
              type="submit"
            />
          </Flex>
        )}
      </Labelled>
      <div role="status">{problem !== undefined && <Note tone="critical">{problem}</Note>}</div>
    </>
  )
}
