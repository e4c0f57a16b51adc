import {Box, Button, Flex, Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useEffect, useState} from 'react'
import {type LayoutProps, useClient} from 'sanity'
import {useRouter} from 'sanity/router'
import {isRecord} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {addressesOf} from '../install/addresses.ts'
import {runningSiteOfPage} from '../install/page.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {useAddresses} from '../parts/addresses.ts'
import {StudioDialog} from '../parts/dialog.tsx'
import {errorWords} from '../saving/errorWords.ts'
import {forgetHanded, type Handed, handedTool} from './handed.ts'
import {type MadeDraft, parseMadeTool} from './madeTool.ts'

/** Studio's layout. When a page handed a tool to Studio, it saves the draft and opens its form. */
export function LayoutWithMadeTool(props: LayoutProps) {
  const [handed] = useState(handedTool)
  return (
    <>
      {props.renderDefault(props)}
      {handed !== undefined && <SaveMade {...handed} />}
    </>
  )
}

function SaveMade({tool, origin}: Handed) {
  const client = useClient({apiVersion: API_VERSION})
  const router = useRouter()
  const addresses = useAddresses()
  const toast = useToast()
  const [question, setQuestion] = useState<MadeDraft>()

  const save = async (draft: MadeDraft) => {
    setQuestion(undefined)
    forgetHanded()
    try {
      await client.createIfNotExists(draft.document, {tag: 'handrail.made', visibility: 'sync'})
      router.navigateUrl({path: addresses.tool(draft.siteId, draft.type, draft.id), replace: true})
    } catch (error) {
      toast.push({status: 'error', title: 'The tool was not saved', description: errorWords(error)})
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page load hands over one tool.
  useEffect(() => {
    const parsed = parseMadeTool(tool)
    if (!parsed.ok) {
      forgetHanded()
      toast.push({status: 'error', title: 'The tool was not saved', description: parsed.problem})
      return
    }
    const draft = parsed.value
    client
      .fetch<unknown>(SITE, {siteId: draft.siteId}, {perspective: 'raw', tag: 'handrail.made'})
      .then((site) => (isOf(site, origin) ? save(draft) : setQuestion(draft)))
      .catch((error: unknown) =>
        toast.push({status: 'error', title: 'The tool was not saved', description: errorWords(error)}),
      )
  }, [])

  if (question === undefined) return null
  const refuse = () => {
    forgetHanded()
    setQuestion(undefined)
  }
  return (
    <StudioDialog header="Save this tool as a draft?" id="made-tool" onClose={refuse} width={0}>
      <Box data-testid="made-tool" padding={4}>
        <Stack gap={4}>
          <Text>
            The tool “{textOf(question.document.name)}” comes from{' '}
            {origin === '' ? 'an unknown page' : `${origin}, which is none of the site’s addresses`}. Save it
            only if you made it there yourself.
          </Text>
          <Flex gap={2}>
            <Button onClick={() => void save(question)} text="Save as a draft" tone="primary" />
            <Button mode="ghost" onClick={refuse} text="Do not save" />
          </Flex>
        </Stack>
      </Box>
    </StudioDialog>
  )
}

const SITE = '*[_id in [$siteId, "drafts." + $siteId]] | order(_id desc)[0]{publicId, addresses}'

/** Whether a page of this origin belongs to the site, so that only its editor can have made the tool there. */
function isOf(site: unknown, origin: string): boolean {
  if (!isRecord(site)) return false
  return addressesOf(textOf(site.publicId), site.addresses, runningSiteOfPage()).some(
    (address) => URL.parse(address)?.origin === origin,
  )
}
