import type {SanityClient} from '@sanity/client'
import {Button, Flex, Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useEffect, useState} from 'react'
import {type LayoutProps, useClient} from 'sanity'
import {useRouter} from 'sanity/router'
import {groupVersions, parseDocuments, type Versions} from '../../schemas/diagnosis/documents.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {type Addresses, useAddresses} from '../parts/addresses.ts'
import {StudioDialog} from '../parts/dialog.tsx'
import {rememberedIds} from '../preview/started.ts'
import {errorWords} from '../saving/errorWords.ts'
import {browserItems} from '../saving/storage.ts'
import {changesOf} from './fill.ts'
import {forgetHanded, type Handed, readHanded} from './handed.ts'
import {addTest, parseMadeTest} from './madeTest.ts'
import {parseMadeTool} from './madeTool.ts'
import {offer} from './offers.ts'
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
  /** The form of the tool. */
  readonly address: string
  /** @param open opens the form */
  save(open: () => void): Promise<void>
}

/** Of offers to the forms that are open in other tabs, and to the one that this tab opens. */
const ATTEMPTS = 4
const OWN_ATTEMPTS = 60

function SaveMade({kind, value, origin}: Handed) {
  const client = useClient({apiVersion: API_VERSION})
  const router = useRouter()
  const addresses = useAddresses()
  const toast = useToast()
  const [question, setQuestion] = useState<Ready>()

  const fail = (description: string) =>
    toast.push({status: 'error', title: `The ${kind} was not saved`, description})
  const save = (ready: Ready) => {
    setQuestion(undefined)
    return ready.save(() => router.navigateUrl({path: ready.address, replace: true}))
  }
  const failed = (error: unknown) => fail(errorWords(error))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page load hands over one tool or test.
  useEffect(() => {
    const begin = async () => {
      const ready = await readyOf({kind, value}, client, addresses)
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

const TAG = 'handrail.made'

async function readyOf(
  {kind, value}: Pick<Handed, 'kind' | 'value'>,
  client: SanityClient,
  addresses: Addresses,
): Promise<Parsed<Ready>> {
  if (kind === 'test') return readyTest(value, client, addresses)
  return isRecord(value) && value.for !== undefined
    ? readyField(value, addresses)
    : readyTool(value, client, addresses)
}

async function readyTool(value: unknown, client: SanityClient, addresses: Addresses): Promise<Parsed<Ready>> {
  const parsed = parseMadeTool(value)
  if (!parsed.ok) return parsed
  const {id, siteId, type, document} = parsed.value
  // The link may have been opened before. Its draft is then opened, and not written.
  const query = '*[_id == $id || _id in path($versions) || (_id == $draft && _type != $type)][0]._id'
  const params = {id, versions: `versions.*.${id}`, draft: `drafts.${id}`, type}
  const taken = await client.fetch<unknown>(query, params, {perspective: 'raw', tag: TAG})
  if (taken !== null) return refuse('Another document has its ID. Make the tool again on the page.')
  return accept({
    siteId,
    question: 'Save this tool as a draft?',
    what: `The tool “${textOf(document.name)}”`,
    yes: 'Save as a draft',
    address: addresses.tool(siteId, type, id),
    async save(open) {
      forgetHanded()
      await client.createIfNotExists(document, {tag: TAG, visibility: 'sync'})
      open()
    },
  })
}

/** What a field of a tool is filled in with, by the form that is open. */
function readyField(tool: Record<string, unknown>, addresses: Addresses): Parsed<Ready> {
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

async function readyTest(value: unknown, client: SanityClient, addresses: Addresses): Promise<Parsed<Ready>> {
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
      if (added !== undefined) {
        const transaction = client.transaction()
        if (created !== undefined) transaction.createIfNotExists(created)
        const insert = {after: 'tests[-1]', items: [added]}
        await transaction
          .patch(`drafts.${id}`, {setIfMissing: {tests: []}, insert})
          .commit({tag: TAG, visibility: 'sync'})
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
  return typeof preview === 'string' && rememberedIds(browserItems).includes(`drafts.${preview}`)
}
