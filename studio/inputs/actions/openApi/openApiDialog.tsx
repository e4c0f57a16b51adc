import {Box, Button, Flex, Stack, TextInput} from '@sanity/ui'
import {useEffect, useMemo, useState} from 'react'
import type {Operation} from '../../../../making/openApi.ts'
import {useAnswer} from '../../../live/useAnswer.ts'
import {MAX_TOOLS} from '../../../making/madeTool.ts'
import {StudioDialog} from '../../../parts/dialog.tsx'
import {Field} from '../../../parts/fields/field.tsx'
import {Labelled} from '../../../parts/fields/labelled.tsx'
import {Muted, Note} from '../../../parts/note.tsx'
import type {FillDialogProps} from '../copiedDialog.tsx'
import {OpenApiFile} from './openApiFile.ts'
import {OperationsField} from './operationsField.tsx'
import {useDraftsOf} from './useDraftsOf.ts'

type OpenApiDialogProps = Pick<FillDialogProps, 'addresses' | 'onClose'> & {
  siteId: string
  /** Fills in the tool in the form; undefined: there is none. */
  onFill?: FillDialogProps['onFill']
}

/** Fills in a request from an operation of an API that an OpenAPI file describes, or makes drafts of operations. */
export function OpenApiDialog({addresses, siteId, onFill, onClose}: OpenApiDialogProps) {
  const [source, setSource] = useState<Blob | string>()
  const {file, operations} = useOpenApiFile(source, addresses)
  return (
    <StudioDialog
      header={onFill ? 'Fill in from an OpenAPI file' : 'Make tools from an OpenAPI file'}
      id="handrail-openapi"
      onClose={onClose}
      width={1}
    >
      <Stack gap={4}>
        <SourceFields onChoose={setSource} />
        {file !== undefined && operations === undefined && <Note>Reading the file…</Note>}
        {operations?.ok === false && <Note tone="critical">{operations.problem}</Note>}
        {file !== undefined && operations?.ok && (
          <Chosen
            file={file}
            onClose={onClose}
            onFill={onFill}
            operations={operations.value}
            siteId={siteId}
          />
        )}
      </Stack>
    </StudioDialog>
  )
}

/** The file that is read, and what it has as soon as that is known. */
function useOpenApiFile(source: Blob | string | undefined, addresses: readonly string[]) {
  const [file, setFile] = useState<OpenApiFile>()
  // The form has another list of the same addresses each time that it is drawn.
  const known = addresses.join('\n')
  useEffect(() => {
    if (source === undefined) return undefined
    const opened = new OpenApiFile(source, known.split('\n'))
    setFile(opened)
    return () => {
      opened.close()
      setFile(undefined)
    }
  }, [source, known])
  const read = useAnswer(useMemo(() => file && (() => file.operations), [file]))
  return {file, operations: read.state === 'answered' ? read.value : undefined}
}

type ChosenProps = Pick<OpenApiDialogProps, 'siteId' | 'onClose'> & {
  onFill: FillDialogProps['onFill'] | undefined
  file: OpenApiFile
  operations: readonly Operation[]
}

/** One operation fills in this tool; several become drafts. */
function Chosen({file, operations, siteId, onFill, onClose}: ChosenProps) {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const {save, isSaving, problems} = useDraftsOf(file, siteId, onClose)
  const only = ticked.length === 1 ? ticked[0] : undefined
  const made = useAnswer(
    useMemo(() => (only === undefined ? undefined : () => file.toolOf(only)), [file, only]),
  )
  const tool = made.state === 'answered' ? made.value : undefined
  const hosts = new Set(
    operations.flatMap(({id, host}) => (host !== undefined && ticked.includes(id) ? [host] : [])),
  )
  const toggle = (id: string) =>
    setTicked(ticked.includes(id) ? ticked.filter((one) => one !== id) : [...ticked, id])
  return (
    <>
      <OperationsField onToggle={toggle} operations={operations} ticked={ticked} />
      {hosts.size > 0 && (
        <Note tone="caution">
          Requests go to {[...hosts].join(', ')}, which is not an address of the site.
        </Note>
      )}
      {tool?.ok === false && <Note tone="critical">{tool.problem}</Note>}
      {tool?.ok && tool.value.notes.map((note) => <Note key={note}>{note}</Note>)}
      {problems.map((problem) => (
        <Note key={problem} tone="critical">
          {problem}
        </Note>
      ))}
      {ticked.length > MAX_TOOLS && <Note tone="caution">Tick {MAX_TOOLS} operations at most.</Note>}
      <Flex align="center" gap={3} justify="flex-end">
        {ticked.length === 0 && (
          <Muted>
            {onFill
              ? 'Tick one operation to fill in this tool, or several to make drafts.'
              : 'Tick what agents may use: each becomes a draft.'}
          </Muted>
        )}
        {ticked.length > 1 || !onFill ? (
          <Button
            disabled={isSaving || ticked.length === 0 || ticked.length > MAX_TOOLS}
            onClick={() => void save(ticked)}
            text={ticked.length === 1 ? 'Make 1 draft' : `Make ${ticked.length} drafts`}
          />
        ) : (
          <Button
            disabled={tool?.ok !== true}
            onClick={() => tool?.ok && onFill(tool.value.fields)}
            text="Fill in"
          />
        )}
      </Flex>
    </>
  )
}

/** Where the file comes from. */
function SourceFields({onChoose}: {onChoose: (source: Blob | string | undefined) => void}) {
  const [address, setAddress] = useState('')
  const [text, setText] = useState('')
  const paste = (pasted: string) => {
    setText(pasted)
    if (pasted.trim() !== '') onChoose(new Blob([pasted]))
  }
  return (
    <>
      <Labelled label="File">
        {(input) => (
          <input
            accept=".json,.yaml,.yml"
            id={input}
            onChange={(event) => onChoose(event.currentTarget.files?.[0])}
            type="file"
          />
        )}
      </Labelled>
      <Labelled hint="Some websites do not allow others to read their files." label="Address of the file">
        {(input) => (
          <Flex
            as="form"
            gap={2}
            onSubmit={(event) => {
              event.preventDefault()
              event.stopPropagation()
              onChoose(address)
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
            <Button disabled={address.trim() === ''} mode="ghost" text="Load" type="submit" />
          </Flex>
        )}
      </Labelled>
      <Field
        hint="Or paste the text of the file."
        label="Text"
        onChange={paste}
        rows={4}
        spellCheck={false}
        value={text}
      />
    </>
  )
}
