import {CopyIcon} from '@sanity/icons/Copy'
import {LaunchIcon} from '@sanity/icons/Launch'
import {Stack, Text} from '@sanity/ui'
import {useEffect, useMemo, useState} from 'react'
import {type Cause, causesOf} from '../install/causes.ts'
import type {TaggedSite} from '../install/tags.ts'
import {Causes, WatchedNote} from '../install/watchedNote.tsx'
import {useWatched} from '../live/useWatched.ts'
import {useCopy} from '../parts/copyText.tsx'
import {Details, Note, PaneButton, Section} from '../parts/layout.tsx'
import {serviceOrigin} from '../running.ts'
import {justSeen} from './report.ts'
import {SiteSeen} from './seen.tsx'
import type {FollowedVisits} from './useVisits.ts'
import {messageToDeveloper} from './words.ts'

/** A page is asked for every 2 seconds. */
const LIMITS = {interval: 2_000, silentAfter: 30_000, endAfter: 30_000}

const WITHOUT_WEBMCP: Cause = [
  'Your browser cannot offer tools to agents (it has no WebMCP): the page asks only if its tag has data-panel.',
  '“Open the page with drafts” in a menu shows the tools in any browser.',
]

type VisitsSectionProps = {
  /** Undefined: the site is not published. */
  visits: FollowedVisits | undefined
  /** Where a page of the site is. Undefined: Studio does not know. */
  address: string | undefined
  hasHashRouter: boolean
}

/** Says whether pages of a site ask for their tools, and watches a page that is opened from here. */
export function VisitsSection({visits, address, hasHashRouter}: VisitsSectionProps) {
  if (visits === undefined) return null
  return (
    <Section
      title="Does it work?"
      text="Studio shows when a page of this site last asked for its tools. Pages ask in browsers with WebMCP, and in all browsers if their tag has data-panel. Previews do not count. Which pages people visit is not recorded."
    >
      <Stack data-testid="install-visits" gap={4}>
        {visits.answer.state === 'failed' && <Note tone="caution">{visits.answer.problem}</Note>}
        <SiteSeen visits={visits} />
        {address === undefined ? (
          <Note>To check a page from here, add the address of this site under Settings.</Note>
        ) : (
          <Check address={address} site={{publicId: visits.publicId, hasHashRouter}} visits={visits} />
        )}
      </Stack>
    </Section>
  )
}

function Check({visits, address, site}: {visits: FollowedVisits; address: string; site: TaggedSite}) {
  const {publicId, ask, answer} = visits
  const {reload} = answer
  const copy = useCopy()
  const message = messageToDeveloper(serviceOrigin, site)
  const [round, setRound] = useState(0)
  const watched = useWatched(
    useMemo(
      () => (round > 0 && ask ? async (signal: AbortSignal) => justSeen(await ask(signal)) : undefined),
      [round, ask],
    ),
    LIMITS,
  )
  const isSeen = watched?.state === 'seen'
  useEffect(() => {
    if (isSeen) reload()
  }, [isSeen, reload])
  const causes = (
    <Stack gap={3}>
      <Causes of={[...causesOf(publicId, serviceOrigin, 'above'), WITHOUT_WEBMCP]} />
      <PaneButton
        data-testid="visits-message-copy"
        icon={CopyIcon}
        onClick={() => void copy(message)}
        text="Copy a message for the web team"
      />
      <Text
        data-testid="visits-message"
        muted
        size={1}
        style={{whiteSpace: 'pre-wrap', overflowWrap: 'anywhere'}}
      >
        {message}
      </Text>
    </Stack>
  )
  const isUnseen = answer.state === 'answered' && answer.value.seenAt === undefined
  return (
    <>
      <PaneButton
        as="a"
        data-testid="visits-check"
        href={address}
        icon={LaunchIcon}
        onClick={() => setRound(round + 1)}
        rel="noopener noreferrer"
        target="_blank"
        text="Check now"
      />
      {watched !== undefined && (
        <WatchedNote
          of={watched}
          seen={() => 'It works: a page has just asked for its tools.'}
          silent="The page has not asked for its tools."
          waiting="Waiting up to 30 seconds for the page in the new tab to ask for its tools…"
        />
      )}
      {watched === undefined && isUnseen && <Details title="If it does not work">{causes}</Details>}
      {watched?.state === 'silent' && (
        <Stack gap={3}>
          <Text size={1}>It can have one of these reasons:</Text>
          {causes}
        </Stack>
      )}
    </>
  )
}
