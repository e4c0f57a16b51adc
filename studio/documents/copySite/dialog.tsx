import {Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useState} from 'react'
import {useDocumentPairPermissions, useEditState} from 'sanity'
import {useRouter} from 'sanity/router'
import {parseDocuments} from '../../../schemas/documents.ts'
import {parseAddress} from '../../../schemas/rules/origin.ts'
import {FormDialog} from '../../live/formDialog.tsx'
import {useContent} from '../../live/useContent.ts'
import {siteName, useAddresses} from '../../parts/addresses.ts'
import {Field, Tick} from '../../parts/fields.tsx'
import {copySite, SITE_WITH_TOOLS} from './copies.ts'

/** Asks what a copy of a site is called and where it lives, makes it, all of it or nothing, and opens its page. */
export function CopySiteDialog({siteId, onClose}: {siteId: string; onClose: () => void}) {
  const {draft, published} = useEditState(siteId, 'site')
  const [permissions] = useDocumentPairPermissions({id: siteId, type: 'site', permission: 'publish'})
  const mayPublish = published !== null && permissions?.granted === true
  const [typed, setTyped] = useState<string>()
  const name = typed ?? `${siteName((draft ?? published)?.name)} (copy)`
  const [address, setAddress] = useState('')
  const [isPublished, setPublished] = useState(false)
  const client = useContent()
  const toast = useToast()
  const router = useRouter()
  const pages = useAddresses()
  const parsed = parseAddress(address.trim())
  const problem = address.trim() === '' || parsed.ok ? undefined : parsed.problem
  const send = async () => {
    const isAlsoPublished = mayPublish && isPublished
    const tag = 'handrail.copy-site'
    const found: unknown = await client.fetch(SITE_WITH_TOOLS, {siteId}, {perspective: 'raw', tag})
    const copy = copySite(parseDocuments(found), {
      name: name.trim(),
      address: parsed.ok ? parsed.value : undefined,
      isPublished: isAlsoPublished,
    })
    const creations = copy.documents.map((document) => ({create: document}))
    await client.transaction(creations).commit({tag, visibility: 'sync'})
    const title = isAlsoPublished ? 'The site is copied' : 'The site is copied as drafts'
    toast.push({status: 'success', title})
    onClose()
    router.navigateUrl({path: pages.site(copy.siteId)})
  }
  return (
    <FormDialog
      action="Copy the site"
      isComplete={name.trim() !== '' && problem === undefined}
      onClose={onClose}
      send={send}
      title="Copy this site"
    >
      <Text size={1}>
        The copy has all tools and form tools of this site and a public ID of its own, such as for a website
        where you try changes. Nothing changes on the pages of this site.
      </Text>
      <Field label="Name" onChange={setTyped} value={name} />
      <Field
        hint={problem ?? 'Where the copy lives. You can add it later.'}
        label="Address"
        onChange={setAddress}
        placeholder="https://test.example.com"
        spellCheck={false}
        value={address}
      />
      {mayPublish && (
        <Tick checked={isPublished} onChange={setPublished}>
          Publish in the copy what is published here. Otherwise, everything is a draft.
        </Tick>
      )}
    </FormDialog>
  )
}
