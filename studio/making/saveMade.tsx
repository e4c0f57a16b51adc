import type {SanityClient} from '@sanity/client'
import {Button, Flex, Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useEffect, useState} from 'react'
import {type LayoutProps, useClient} from 'sanity'
import {useRouter} from 'sanity/router'
import {counted} from '../../common/text/counted.ts'
import {toolsIn} from '../../making/madeTool.ts'
import {groupVersions, parseDocuments, type Versions} from '../../schemas/documents.ts'
import {isRecord} from '../../schemas/record.ts'
import {pageToolsOf, parsePageTools} from '../../schemas/rules/names/toolName.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {API_VERSION} from '../live/useContent.ts'
import {type Addresses, useAddresses} from '../parts/addresses.ts'
import {StudioDialog} from '../parts/dialog.tsx'
import {startedPreviews} from '../preview/started.ts'
import {errorWords} from '../saving/errorWords.ts'
import {browserItems} from '../saving/storage.ts'
import {changesOf} from './fill.ts'
import {forgetHanded, type Handed, readHanded} from './handed.ts'
import {addTest, copyOf, parseMadeTest} from './madeTest.ts'
import {offer} from './offers.ts'
import {draftOf, patchDraft, saveDrafts, TAG} from './saveDrafts.ts'
import {shownFields} from './shownField.ts'

/**
 * Studio's layout. When a page handed a tool or a test to Studio, it saves the draft and opens its form, or fills the form
 * in.
 */
export function LayoutWithMade(props: LayoutProps) {
  const [handed] = useState(readHanded)
  return (
    <>
      {props.renderDefault(props)}
      {handed !== undefined && <SaveMade {...handed} />}
    </>
  )
}

/** What a page handed over, ready to be saved. */
type Ready = {
  readonly siteId: string
  readonly question: string
  /** What comes from the page. */
  readonly what: string
  /** The button that saves it. */
  readonly yes: string
  /** The form of the tool, or the list of several. */
  readonly address: string
  /** Of several: how many are saved, and why others are not. */
  readonly count?: number
  readonly problems?: readonly string[]
  /** @param open opens the form */
  save(open: () => void): Promise<void>
}

/** Where it is saved, and the addresses of Studio's pages. */
type Place = {readonly client: SanityClient; readonly addresses: Addresses}

/** Of offers to the forms that are open in other tabs, and to the one that this tab opens. */
const ATTEMPTS = 4
const OWN_ATTEMPTS = 60

/** Of the tabs that pages opened to hand something over, the last one is kept, and those in which a person went on. */
function closeWithNext(): void {
  const tabs = new BroadcastChannel('handrail-made')
  tabs.onmessage = () => window.close()
  tabs.postMessage('saved')
}

const NOT_SAVED: Readonly<Record<Handed['kind'], string>> = {
  tool: 'The tool was not saved',
  tools: 'A tool was not saved',
  test: 'The test was not saved',
  pageTools: 'The names were not saved',
}

function SaveMade({kind, value, origin}: Handed) {
  const client = useClient({apiVersion: API_VERSION})
  const router = useRouter()
  const addresses = useAddresses()
  const toast = useToast()
  const [question, setQuestion] = useState<Ready>()

  const fail = (description: string) => toast.push({status: 'error', title: NOT_SAVED[kind], description})
  const save = async (ready: Ready) => {
    setQuestion(undefined)
    await ready.save(() => router.navigateUrl({path: ready.address, replace: true}))
    const {count, problems = []} = ready
    if (count) toast.push({status: 'success', title: `${counted(count, 'draft')} saved`})
    for (const problem of problems) fail(problem)
    // What a field gets may have gone to a form in one of the tabs.
    if (!isForField(value)) closeWithNext()
  }
  const failed = (error: unknown) => fail(errorWords(error))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page load hands over one tool or test.
  useEffect(() => {
    const begin = async () => {
      const ready = await readyOf({kind, value}, {client, addresses})
      if (!ready.ok) {
        forgetHanded()
        fail(ready.problem)
        return
      }
      if (isFromPreview(value)) await save(ready.value)
      else setQuestion(ready.value)
    }
    begin().catch(failed)
  }, [])

  if (question === undefined) return null
  const refuseIt = () => {
    forgetHanded()
    setQuestion(undefined)
  }
  return (
    <StudioDialog header={question.question} id="made-tool" onClose={refuseIt} width={0}>
      <Stack data-testid="made-tool" gap={4}>
        <Text>
          {question.what} comes from {origin || 'an unknown page'}, and not from a page that you opened with
          drafts in this browser. Save it only if you made it there yourself.
        </Text>
        <Flex gap={2}>
          <Button onClick={() => save(question).catch(failed)} text={question.yes} tone="primary" />
          <Button mode="ghost" onClick={refuseIt} text="Do not save" />
        </Flex>
      </Stack>
    </StudioDialog>
  )
}

async function readyOf({kind, value}: Omit<Handed, 'origin'>, place: Place): Promise<Parsed<Ready>> {
  if (kind === 'test') return readyTest(value, place)
  if (kind === 'pageTools') return readyPageTools(value, place)
  return isForField(value) ? readyField(value, place) : readyTools({kind, value}, place)
}

function isForField(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && value.for !== undefined
}

/** All of them are saved, or none: but those that the rules refuse are left out, and named. */
async function readyTools(
  {kind, value}: Omit<Handed, 'origin'>,
  {client, addresses}: Place,
): Promise<Parsed<Ready>> {
  const isOne = kind === 'tool'
  const tools = isOne ? accept([value]) : toolsIn(value)
  if (!tools.ok) return tools
  const read = await Promise.all(tools.value.map((tool) => draftOf(tool, client)))
  const made = read.flatMap((one) => (one.ok ? [one.value] : []))
  const problems = read.flatMap((one, at) =>
    one.ok ? [] : [isOne ? one.problem : `${nameIn(tools.value[at])}: ${one.problem}`],
  )
  const [first] = made
  if (first === undefined) return refuse(problems.join(' '))
  const {siteId, type, id} = first
  return accept({
    siteId,
    question: isOne ? 'Save this tool as a draft?' : `Save ${counted(made.length, 'tool')} as drafts?`,
    what: `${isOne ? 'The tool' : 'Each of'} ${made.map(({document}) => `“${textOf(document.name)}”`).join(', ')}`,
    yes: isOne ? 'Save as a draft' : 'Save as drafts',
    address: isOne ? addresses.tool(siteId, type, id) : addresses.site(siteId),
    ...(!isOne && {count: made.length}),
    problems,
    async save(open) {
      forgetHanded()
      await saveDrafts(made, client)
      open()
    },
  })
}

function nameIn(tool: unknown): string {
  return isRecord(tool) && isRecord(tool.fields) ? textOf(tool.fields.name) : ''
}

/** What a field of a tool is filled in with, by the form that is open. */
function readyField(tool: Record<string, unknown>, {addresses}: Place): Parsed<Ready> {
  const field = shownFields.list(browserItems).find(({id}) => id === tool.for)
  if (field === undefined)
    return refuse(
      'Studio does not know any more which field this is for. Choose “Show me on the page” once more.',
    )
  const changes = changesOf(tool, field, {})
  if (!changes.ok) return changes
  const {id, siteId, type, toolId} = field
  return accept({
    siteId,
    question: 'Fill in the tool?',
    what: 'What is filled in',
    yes: 'Fill in',
    address: addresses.tool(siteId, type, toolId),
    async save(open) {
      const made = {fieldId: id, tool}
      const isTaken = await offer(made, ATTEMPTS)
      open()
      const isFilled = isTaken || (await offer(made, OWN_ATTEMPTS))
      forgetHanded()
      if (isTaken) window.close()
      if (!isFilled)
        throw new Error('The form of the tool did not open, or it cannot be changed. Show it once more.')
    },
  })
}

async function readyTest(value: unknown, {client, addresses}: Place): Promise<Parsed<Ready>> {
  const made = parseMadeTest(value)
  if (!made.ok) return made
  const {id, test} = made.value
  const tested = addTest(test, await versionsOf(id, client))
  if (!tested.ok) return tested
  const {siteId, type, name, created, added} = tested.value
  return accept({
    siteId,
    question: 'Add this test to the draft?',
    what: `A test of the tool “${name}”`,
    yes: 'Add to the draft',
    address: addresses.tool(siteId, type, id, 'tests'),
    async save(open) {
      forgetHanded()
      const insert = {after: 'tests[-1]', items: [added]}
      if (added !== undefined) await patchDraft({id, created}, {setIfMissing: {tests: []}, insert}, client)
      open()
    },
  })
}

async function readyPageTools(value: unknown, {client, addresses}: Place): Promise<Parsed<Ready>> {
  const {site, names} = isRecord(value) ? value : {}
  const versions = typeof site === 'string' ? await versionsOf(site, client) : undefined
  const {draft, published} = versions ?? {}
  const document = draft ?? published
  if (versions?.type !== 'site' || document === undefined)
    return refuse('The link names no site of this Studio.')
  const found = parsePageTools(names)
  if (!found.ok) return found
  const known = pageToolsOf(document)
  const pageTools = parsePageTools([...new Set([...known, ...found.value])])
  if (!pageTools.ok) return pageTools
  const {id} = versions
  return accept({
    siteId: id,
    question: 'Add these names to the site?',
    what: `The list of tools ${found.value.map((name) => `“${name}”`).join(', ')}`,
    yes: 'Add to the draft',
    address: addresses.form('site', id),
    async save(open) {
      forgetHanded()
      if (pageTools.value.length > known.length) {
        const created = draft === undefined ? copyOf(document, id) : undefined
        await patchDraft({id, created}, {set: {pageTools: pageTools.value}}, client)
      }
      open()
    },
  })
}

async function versionsOf(id: string, client: SanityClient): Promise<Versions | undefined> {
  const ids = [id, `drafts.${id}`]
  const found = await client.fetch<unknown>('*[_id in $ids]', {ids}, {perspective: 'raw', tag: TAG})
  return groupVersions(parseDocuments(found))[0]
}

/** Whether it comes from a page that was opened with drafts in this browser: links of others do not know its preview. */
function isFromPreview(value: unknown): boolean {
  const preview = isRecord(value) ? value.preview : undefined
  return startedPreviews.list(browserItems).some(({id}) => id === `drafts.${preview}`)
}
