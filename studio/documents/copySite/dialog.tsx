import {Button, Checkbox, Flex, Stack, Text} from '@sanity/ui'
import {type FormEvent, useState} from 'react'
import {useDocumentPairPermissions, useEditState} from 'sanity'
import {useRouter} from 'sanity/router'
import {parseDocuments} from '../../../schemas/diagnosis/documents.ts'
import {parseAddress} from '../../../schemas/rules/origin.ts'
import {useSend} from '../../live/useSend.ts'
import {useAddresses} from '../../parts/addresses.ts'
import {StudioDialog} from '../../parts/dialog.tsx'
import {Field} from '../../parts/fields/field.tsx'
import {siteName} from '../../parts/siteName.ts'
import {PaneButton} from '../../parts/smallButton.tsx'
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
  const {isBusy, run} = useSend()
  const router = useRouter()
  const pages = useAddresses()
  const parsed = parseAddress(address.trim())
  const problem = address.trim() === '' || parsed.ok ? undefined : parsed.problem
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isAlsoPublished = mayPublish && isPublished
    void run(isAlsoPublished ? 'The site is copied' : 'The site is copied as drafts', async (client) => {
      const tag = 'handrail.copy-site'
      const found: unknown = await client.fetch(SITE_WITH_TOOLS, {siteId}, {perspective: 'raw', tag})
      const copy = copySite(parseDocuments(found), {
        name: name.trim(),
        address: parsed.ok ? parsed.value : undefined,
        isPublished: isAlsoPublished,
      })
      const creations = copy.documents.map((document) => ({create: document}))
      await client.transaction(creations).commit({tag, visibility: 'sync'})
      onClose()
      router.navigateUrl({path: pages.site(copy.siteId)})
    })
  }
  return (
    <StudioDialog header="Copy this site" id="copy-site" onClose={onClose} width={0}>
      <form data-testid="copy-site-form" onSubmit={submit}>
        <Stack gap={4}>
          <Text size={1}>
            The copy has all tools and form tools of this site and a public ID of its own, such as for a
            website where you try changes. Nothing changes on the pages of this site.
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
            <Flex align="center" as="label" gap={3}>
              <Checkbox
                checked={isPublished}
                onChange={(event) => setPublished(event.currentTarget.checked)}
              />
              <Text size={1}>
                Publish in the copy what is published here. Otherwise, everything is a draft.
              </Text>
            </Flex>
          )}
          <Flex gap={2} justify="flex-end">
            <PaneButton mode="bleed" onClick={onClose} text="Cancel" />
            <Button
              data-testid="copy-site-submit"
              disabled={isBusy || name.trim() === '' || problem !== undefined}
              fontSize={1}
              text="Copy the site"
              type="submit"
            />
          </Flex>
        </Stack>
      </form>
    </StudioDialog>
  )
}
