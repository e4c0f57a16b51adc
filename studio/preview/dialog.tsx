import {Box, Button, Flex, Stack} from '@sanity/ui'
import {type FormEvent, useMemo, useState} from 'react'
import {useDocumentOperation} from 'sanity'
import {diagnosePage} from '../../advice/diagnosis/page.ts'
import {checkSite} from '../../advice/diagnosis/site.ts'
import {describeSite, describeTool} from '../../advice/diagnosis/words.ts'
import {type StoredDocument, withDrafts} from '../../schemas/documents.ts'
import {parseAddress} from '../../schemas/rules/origin.ts'
import {parsePage} from '../../schemas/rules/paths/page.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {Wanted} from '../../snippet/previewLink.ts'
import {addressesOfSite} from '../install/siteAddresses.ts'
import {NotLoaded, useCheckedSite} from '../live/useCheckedSite.tsx'
import {type ShownRelease, useRelease} from '../live/useContent.ts'
import {StudioDialog} from '../parts/dialog.tsx'
import {Field, PageNote, PathField, SelectField} from '../parts/fields.tsx'
import {Note} from '../parts/layout.tsx'
import {pageUrl, proposePaths, splitHash} from './link.ts'
import {Links} from './links.tsx'

type PreviewDialogProps = {
  siteId: string
  /** The tool whose draft is to be seen. Undefined: all of the site. */
  toolId?: string
  /** The path of the page to begin with. Undefined: one that the tool or the site names. */
  path?: string
  /** The release that is shown. Undefined: the one that is chosen in the navbar, or drafts. */
  release?: ShownRelease | undefined
  /** Undefined: the page is only looked at. */
  wanted?: Wanted
  onClose: () => void
  /** Called when a page shows the preview. */
  onShown?: () => void
}

/** Opens a page of a site with its drafts, in a new tab, or copies a link to it. */
export function PreviewDialog({siteId, onClose, ...others}: PreviewDialogProps) {
  const chosen = useRelease()
  const release = others.release ?? chosen
  const live = useCheckedSite(siteId, release?.name)
  return (
    <StudioDialog
      header={others.wanted === undefined ? 'Open a page with drafts' : 'Show it on a page'}
      id="handrail-preview"
      onClose={onClose}
      width={1}
    >
      <Box data-testid="preview-dialog">
        {live.state === 'ready' ? (
          <Page {...others} documents={live.documents} release={release} siteId={siteId} />
        ) : (
          <NotLoaded of={live} />
        )}
      </Box>
    </StudioDialog>
  )
}

function Page(props: Omit<PreviewDialogProps, 'onClose'> & {documents: readonly StoredDocument[]}) {
  const {siteId, toolId, wanted, release, documents, onShown} = props
  const drafted = useMemo(() => withDrafts(documents), [documents])
  const site = useMemo(() => checkSite(siteId, drafted), [siteId, drafted])
  const document = drafted.find(({_id}) => _id === siteId)
  const tool = site.tools.find(({id}) => id === toolId)
  const paths = useMemo(() => proposePaths(site, tool), [site, tool])
  const [chosen, setChosen] = useState<string>()
  const [path, setPath] = useState(() => props.path ?? paths[0] ?? '/')
  const publicId = parsePublicId(document?.publicId)
  if (!publicId.ok) return <Note tone="caution">This site has no valid public ID. {publicId.problem}</Note>
  const addresses = addressesOfSite(document)
  const address = addresses.find((one) => one === chosen) ?? addresses[0]
  if (address === undefined) return <NoAddress siteId={siteId} />
  const isHash = document?.hashRouter === true
  const [before, typed] = isHash ? splitHash(path) : ['/', path]
  const page = parsePage(typed, addresses)
  const above = parsePage(before, addresses)
  const url =
    page.ok && above.ok
      ? isHash
        ? pageUrl(address, above.value, page.value)
        : pageUrl(address, page.value)
      : undefined
  return (
    <Stack gap={5}>
      <SelectField
        label="Address"
        of={addresses.map((one) => [one, one])}
        onChange={setChosen}
        testId="preview-address"
        value={address}
      />
      <PathField onChange={setPath} path={path} paths={paths} />
      <PageNote page={page} />
      {url !== undefined && (
        <>
          {wanted === undefined && (
            <Offer
              path={isHash && page.ok ? page.value.path : new URL(url).pathname}
              site={site}
              toolId={toolId}
            />
          )}
          <Links onShown={onShown} publicId={publicId.value} release={release} url={url} wanted={wanted} />
        </>
      )}
    </Stack>
  )
}

/** Asks where the pages of a site are, and saves that in its draft. */
function NoAddress({siteId}: {siteId: string}) {
  const {patch} = useDocumentOperation(siteId, 'site')
  const [typed, setTyped] = useState('')
  const address = parseAddress(typed)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (address.ok) patch.execute([{set: {addresses: [address.value]}}])
  }
  return (
    <form onSubmit={save}>
      <Stack gap={4}>
        <Field
          hint="It becomes the first address in the settings of the site. Visitors and agents do not see it."
          label="Where are the pages of this site?"
          onChange={setTyped}
          placeholder="www.example.com"
          testId="preview-new-address"
          value={typed}
        />
        {typed !== '' && !address.ok && <Note tone="caution">{address.problem}</Note>}
        <Flex>
          <Button disabled={!address.ok || patch.disabled !== false} text="Use this address" type="submit" />
        </Flex>
      </Stack>
    </form>
  )
}

/** Says whether the page will offer the tool, or how many tools. */
function Offer(props: {site: ReturnType<typeof checkSite>; toolId: string | undefined; path: string}) {
  const {site, toolId, path} = props
  const {tools, siteReasons, path: shown} = diagnosePage(site, path)
  const tool = tools.find(({id}) => id === toolId)
  const [siteReason] = siteReasons
  const offered = tools.filter(({reasons}) => reasons.length === 0)
  const isGood = tool === undefined ? offered.length > 0 : offered.includes(tool)
  const text =
    tool !== undefined
      ? describeTool(tool, shown)
      : siteReason !== undefined
        ? describeSite(siteReason)
        : `With drafts, ${offered.length} of ${tools.length} tools are offered on ${shown}.`
  return (
    <Flex data-testid="preview-offer" direction="column">
      <Note tone={isGood ? 'positive' : 'caution'}>{text}</Note>
    </Flex>
  )
}
