import type {SanityClient} from '@sanity/client'
import {Box, Button, Flex, Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useEffect, useState} from 'react'
import {type LayoutProps, useClient} from 'sanity'
import {useRouter} from 'sanity/router'
import {groupVersions, parseDocuments} from '../../schemas/diagnosis/documents.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {accept, type Parsed} from '../../schemas/rules/parsed.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {addressesOf} from '../install/addresses.ts'
import {runningSiteOfPage} from '../install/page.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {type Addresses, useAddresses} from '../parts/addresses.ts'
import {StudioDialog} from '../parts/dialog.tsx'
import {errorWords} from '../saving/errorWords.ts'
import {forgetHanded, type Handed, readHanded} from './handed.ts'
import {addTest, parseMadeTest} from './madeTest.ts'
import {parseMadeTool} from './madeTool.ts'

/** Studio's layout. When a page handed a tool or a test to Studio, it saves the draft and opens its form. */
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
  /** The name of the tool. */
  readonly name: string
  readonly address: string
  save(): Promise<unknown>
}

function SaveMade({kind, value, origin}: Handed) {
  const client = useClient({apiVersion: API_VERSION})
  const router = useRouter()
  const addresses = useAddresses()
  const toast = useToast()
  const [question, setQuestion] = useState<Ready>()

  const words = WORDS[kind]
  const fail = (description: string) => toast.push({status: 'error', title: words.failed, description})
  const save = async (ready: Ready) => {
    setQuestion(undefined)
    forgetHanded()
    await ready.save()
    router.navigateUrl({path: ready.address, replace: true})
  }
  const saveOrFail = (ready: Ready) => save(ready).catch((error: unknown) => fail(errorWords(error)))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page load hands over one tool or test.
  useEffect(() => {
    const begin = async () => {
      const ready = await (kind === 'tool' ? readyTool : readyTest)(value, client, addresses)
      if (!ready.ok) {
        forgetHanded()
        fail(ready.problem)
        return
      }
      const {siteId} = ready.value
      const site = await client.fetch<unknown>(SITE, {siteId}, {perspective: 'raw', tag: TAG})
      if (isOf(site, origin)) await save(ready.value)
      else setQuestion(ready.value)
    }
    begin().catch((error: unknown) => fail(errorWords(error)))
  }, [])

  if (question === undefined) return null
  const refuse = () => {
    forgetHanded()
    setQuestion(undefined)
  }
  const from = origin === '' ? 'an unknown page' : `${origin}, which is none of the site’s addresses`
  return (
    <StudioDialog header={words.question} id="made-tool" onClose={refuse} width={0}>
      <Box data-testid="made-tool" padding={4}>
        <Stack gap={4}>
          <Text>
            {words.what} “{question.name}” comes from {from}. Save it only if you made it there yourself.
          </Text>
          <Flex gap={2}>
            <Button onClick={() => void saveOrFail(question)} text={words.save} tone="primary" />
            <Button mode="ghost" onClick={refuse} text="Do not save" />
          </Flex>
        </Stack>
      </Box>
    </StudioDialog>
  )
}

const WORDS = {
  tool: {
    question: 'Save this tool as a draft?',
    what: 'The tool',
    save: 'Save as a draft',
    failed: 'The tool was not saved',
  },
  test: {
    question: 'Add this test to the draft?',
    what: 'A test of the tool',
    save: 'Add to the draft',
    failed: 'The test was not saved',
  },
} as const

const TAG = 'handrail.made'

async function readyTool(value: unknown, client: SanityClient, addresses: Addresses): Promise<Parsed<Ready>> {
  const parsed = parseMadeTool(value)
  if (!parsed.ok) return parsed
  const {id, siteId, type, document} = parsed.value
  return accept({
    siteId,
    name: textOf(document.name),
    address: addresses.tool(siteId, type, id),
    save: () => client.createIfNotExists(document, {tag: TAG, visibility: 'sync'}),
  })
}

async function readyTest(value: unknown, client: SanityClient, addresses: Addresses): Promise<Parsed<Ready>> {
  const made = parseMadeTest(value)
  if (!made.ok) return made
  const {id, test} = made.value
  const draftId = `drafts.${id}`
  const found = await client.fetch<unknown>(
    '*[_id in $ids]',
    {ids: [id, draftId]},
    {perspective: 'raw', tag: TAG},
  )
  const [versions] = groupVersions(parseDocuments(found))
  const tested = addTest(test, versions)
  if (!tested.ok) return tested
  const {siteId, type, name, created, added} = tested.value
  return accept({
    siteId,
    name,
    address: addresses.tool(siteId, type, id, 'tests'),
    async save() {
      if (added === undefined) return
      const transaction = client.transaction()
      if (created !== undefined) transaction.createIfNotExists(created)
      const insert = {after: 'tests[-1]', items: [added]}
      await transaction
        .patch(draftId, {setIfMissing: {tests: []}, insert})
        .commit({tag: TAG, visibility: 'sync'})
    },
  })
}

const SITE = '*[_id in [$siteId, "drafts." + $siteId]] | order(_id desc)[0]{publicId, addresses}'

/** Whether a page of this origin belongs to the site, so that only its editor can have made this there. */
function isOf(site: unknown, origin: string): boolean {
  if (!isRecord(site)) return false
  return addressesOf(textOf(site.publicId), site.addresses, runningSiteOfPage()).some(
    (address) => URL.parse(address)?.origin === origin,
  )
}
