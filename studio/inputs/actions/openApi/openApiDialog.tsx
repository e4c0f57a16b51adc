import {Box, Button, Card, Flex, Stack, TextInput} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {uuid} from '@sanity/uuid'
import {useEffect, useMemo, useState} from 'react'
import {useRouter} from 'sanity/router'
import {MAX_TOOLS, type MadeDraft, parseMadeTool} from '../../../../making/madeTool.ts'
import type {Operation} from '../../../../making/openApi.ts'
import type {Fields} from '../../../../schemas/record.ts'
import {accept, type Parsed} from '../../../../schemas/rules/parsed.ts'
import {useAnswer} from '../../../live/useAnswer.ts'
import {useContent} from '../../../live/useContent.ts'
import {saveDrafts} from '../../../making/saveDrafts.ts'
import {useAddresses} from '../../../parts/addresses.ts'
import {StudioDialog} from '../../../parts/dialog.tsx'
import {Field, Labelled, Tick} from '../../../parts/fields.tsx'
import {Muted, Note} from '../../../parts/layout.tsx'
import {errorWords} from '../../../saving/errorWords.ts'
import type {FillDialogProps} from '../copiedDialog.tsx'
import {OpenApiFile} from './openApiFile.ts'

type OpenApiDialogProps = Pick<FillDialogProps, 'addresses' | 'onClose'> & {siteId: string}

/** Makes drafts of operations of an API that an OpenAPI file describes. */
export function OpenApiDialog({addresses, siteId, onClose}: OpenApiDialogProps) {
  const [source, setSource] = useState<Blob | string>()
  const {file, operations} = useOpenApiFile(source, addresses)
  return (
    <StudioDialog header="Make tools from an OpenAPI file" id="handrail-openapi" onClose={onClose} width={1}>
      <Stack gap={4}>
        <SourceFields onChoose={setSource} />
        {file !== undefined && operations === undefined && <Note>Reading the file…</Note>}
        {operations?.ok === false && <Note tone="critical">{operations.problem}</Note>}
        {file !== undefined && operations?.ok && (
          <Chosen file={file} onClose={onClose} operations={operations.value} siteId={siteId} />
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
  file: OpenApiFile
  operations: readonly Operation[]
}

/** Each operation that is ticked becomes a draft. */
function Chosen({file, operations, siteId, onClose}: ChosenProps) {
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
        {ticked.length === 0 && <Muted>Tick what agents may use: each becomes a draft.</Muted>}
        <Button
          disabled={isSaving || ticked.length === 0 || ticked.length > MAX_TOOLS}
          onClick={() => void save(ticked)}
          text={ticked.length === 1 ? 'Make 1 draft' : `Make ${ticked.length} drafts`}
        />
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

/** Rows that are drawn at once: large APIs have a thousand operations. */
const MOST_ROWS = 100

type OperationsFieldProps = {
  operations: readonly Operation[]
  ticked: readonly string[]
  onToggle: (id: string) => void
}

/** The operations of an API, to be ticked. */
function OperationsField({operations, ticked, onToggle}: OperationsFieldProps) {
  const [words, setWords] = useState('')
  const wanted = words.toLowerCase().split(/\s+/)
  const found = operations.filter(({id, summary}) => {
    const text = `${id} ${summary}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const left = found.length - MOST_ROWS
  return (
    <Stack gap={3}>
      <Field label={`Operations: find among ${operations.length}`} onChange={setWords} value={words} />
      <Card border padding={3} radius={2} style={{maxHeight: '16rem', overflowY: 'auto'}} tabIndex={0}>
        <Stack data-testid="operations" gap={3}>
          {found.slice(0, MOST_ROWS).map(({id, summary}) => (
            <Tick checked={ticked.includes(id)} key={id} onChange={() => onToggle(id)}>
              {summary === '' ? id : `${id}: ${summary}`}
            </Tick>
          ))}
          {found.length === 0 && <Muted>No operation has these words.</Muted>}
          {left > 0 && <Muted>{left} more: type a word of theirs.</Muted>}
        </Stack>
      </Card>
    </Stack>
  )
}

/** Makes a draft of each operation for a site, and opens the page of it. */
function useDraftsOf(file: OpenApiFile, site: string, onSaved: () => void) {
  const client = useContent()
  const router = useRouter()
  const addresses = useAddresses()
  const toast = useToast()
  const [isSaving, setSaving] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])

  const save = async (operations: readonly string[]) => {
    setSaving(true)
    try {
      const {drafts, refused} = await draftsOf(operations, file, site)
      setProblems(refused)
      if (refused.length > 0) return
      await saveDrafts(drafts, client)
      toast.push({
        status: 'success',
        title: drafts.length === 1 ? '1 draft saved' : `${drafts.length} drafts saved`,
      })
      onSaved()
      router.navigateUrl({path: addresses.site(site)})
    } catch (error) {
      setProblems([errorWords(error)])
    } finally {
      setSaving(false)
    }
  }
  return {save, isSaving, problems}
}

/** The drafts, and why some operations cannot be one. */
async function draftsOf(operations: readonly string[], file: OpenApiFile, site: string) {
  const drafts: MadeDraft[] = []
  const refused: string[] = []
  for (const operation of operations) {
    const tool = await file.toolOf(operation)
    const draft = tool.ok ? draftOf(tool.value.fields, site) : tool
    if (draft.ok) drafts.push(draft.value)
    else refused.push(`${operation}: ${draft.problem}`)
  }
  return {drafts, refused}
}

/** A request does not depend on the page: it is offered on all. */
function draftOf(fields: Fields, site: string): Parsed<MadeDraft> {
  const made = parseMadeTool({id: uuid(), site, type: 'tool', fields: {pathPattern: '/**', ...fields}})
  if (!made.ok) return made
  const {annotations} = fields
  return accept({...made.value, document: {...made.value.document, annotations}})
}
