import {ChevronLeftIcon} from '@sanity/icons/ChevronLeft'
import {Flex} from '@sanity/ui'
import {useState} from 'react'
import {getPublishedId, type InputProps, useEditState, useFormValue} from 'sanity'
import {Link} from 'sanity/router'
import {useDocumentPane} from 'sanity/structure'
import {styled} from 'styled-components'
import {groupVersions, siteOf} from '../../schemas/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {Input} from '../inputs/input.tsx'
import {useCheckedSite} from '../live/useCheckedSite.tsx'
import {siteName, useAddresses} from '../parts/addresses.ts'
import {SmallButton} from '../parts/layout.tsx'
import {runningSiteOfPage} from '../running.ts'
import {browserItems} from '../saving/storage.ts'
import {nextSteps, wasShown} from './nextSteps.ts'

/** The input of every field. Above those of a whole document is a link to the page of its site. */
export function InputWithBackLink(props: InputProps) {
  return props.path.length > 0 ? <Input {...props} /> : <WholeForm {...props} />
}

/** Sanity leaves 84 pixels more above the first field. */
const CloseToTop = styled.div`
  margin-top: -24px;

  [data-testid='field-groups'] {
    margin-bottom: -28px;
    padding-bottom: 0;
  }
`

/** Until the lake has said what a document has, its form takes no text, and what is typed would be lost: it takes no focus, either. */
function WholeForm(props: InputProps) {
  const {ready} = useDocumentPane()
  const [isReady, setReady] = useState(ready)
  if (ready && !isReady) setReady(true)
  return (
    <CloseToTop inert={!isReady}>
      <BackLink />
      <Input {...props} />
    </CloseToTop>
  )
}

function BackLink() {
  const type = useFormValue(['_type'])
  const id = textOf(useFormValue(['_id']))
  const site = useFormValue(['site'])
  const siteId = type === 'site' ? getPublishedId(id) : siteOf({site})
  return siteId === undefined || siteId === '' ? null : <ToSite hasNext={type === 'site'} siteId={siteId} />
}

/** @param hasNext whether to name what is left to do for a new site */
function ToSite({siteId, hasNext}: {siteId: string; hasNext: boolean}) {
  const addresses = useAddresses()
  const {draft, published} = useEditState(siteId, 'site')
  const document = draft ?? published
  if (document === null) return null
  return (
    <Flex gap={2} paddingBottom={2} wrap="wrap">
      <SmallButton
        as={Link}
        data-testid="to-site"
        href={addresses.site(siteId)}
        icon={ChevronLeftIcon}
        mode="bleed"
        text={`Back to ${siteName(document.name)}`}
      />
      {hasNext && <NextStep siteId={siteId} />}
    </Flex>
  )
}

function NextStep({siteId}: {siteId: string}) {
  const addresses = useAddresses()
  const live = useCheckedSite(siteId)
  const versions =
    live.state === 'ready' ? groupVersions(live.documents).find(({id}) => id === siteId) : undefined
  if (live.state !== 'ready' || versions === undefined) return null
  const isShown = wasShown(siteId, browserItems)
  const steps = nextSteps(versions, live.site, isShown, runningSiteOfPage()?.publicId)
  const next = steps.find(({isDone}) => !isDone)
  // The form itself is where a site is published.
  if (next === undefined || next.id === 'publish') return null
  return (
    <SmallButton
      as={Link}
      data-testid="next-step"
      href={next.id === 'address' ? addresses.addressesOf(siteId) : addresses.site(siteId)}
      text={`Next: ${next.title.charAt(0).toLowerCase()}${next.title.slice(1)}`}
      tone="primary"
    />
  )
}
