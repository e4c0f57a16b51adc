import {CopyIcon} from '@sanity/icons/Copy'
import {LaunchIcon} from '@sanity/icons/Launch'
import {Flex, Stack, Text} from '@sanity/ui'
import {useEffect, useState} from 'react'
import type {TaggedSite} from '../install/tags.ts'
import {useCopy} from '../parts/copyText.tsx'
import {Note} from '../parts/note.tsx'
import {Section} from '../parts/section.tsx'
import {PaneButton} from '../parts/smallButton.tsx'
import {serviceOrigin} from '../running.ts'
import {SiteSeen} from './seen.tsx'
import type {FollowedVisits} from './useVisits.ts'
import {WATCH_FOR, type Watched, watchVisits} from './watch.ts'
import {messageToDeveloper, visitCauses} from './words.ts'

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
      text="Studio shows when a page of this site last asked for its tools. Only browsers with WebMCP ask. Which pages people visit is not recorded."
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
  const copy = useCopy()
  const message = messageToDeveloper(serviceOrigin, site)
  const [round, setRound] = useState(0)
  const [watched, setWatched] = useState<Watched>()
  useEffect(() => {
    if (round === 0) return undefined
    const stop = new AbortController()
    void watchVisits(() => ask(stop.signal), setWatched, stop.signal)
    return () => stop.abort()
  }, [round, ask])
  const isUnseen = answer.state === 'answered' && answer.value.seenAt === undefined
  return (
    <>
      <Flex>
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
      </Flex>
      {watched === 'watching' && (
        <Note>
          Waiting up to {WATCH_FOR / 1_000} seconds for the page in the new tab to ask for its tools…
        </Note>
      )}
      {watched === 'seen' && <Note tone="positive">It works: a page has just asked for its tools.</Note>}
      {watched === 'silent' && <Note tone="caution">The page has not asked for its tools.</Note>}
      {(watched === 'silent' || (isUnseen && watched === undefined)) && (
        <Stack gap={3}>
          <Text size={1}>It can have one of these reasons:</Text>
          <Stack as="ul" gap={3} paddingLeft={4} style={{listStyle: 'disc'}}>
            {visitCauses(publicId, serviceOrigin).map(({cause, remedy}) => (
              <Text as="li" key={cause} muted size={1} style={{display: 'list-item'}}>
                <strong>{cause}</strong> {remedy}
              </Text>
            ))}
          </Stack>
          <Flex>
            <PaneButton
              data-testid="visits-message-copy"
              icon={CopyIcon}
              onClick={() => void copy(message)}
              text="Copy a message for the person who edits the pages"
            />
          </Flex>
          <Text
            data-testid="visits-message"
            muted
            size={1}
            style={{whiteSpace: 'pre-wrap', overflowWrap: 'anywhere'}}
          >
            {message}
          </Text>
        </Stack>
      )}
    </>
  )
}
