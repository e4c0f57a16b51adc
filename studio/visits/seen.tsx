import {Flex} from '@sanity/ui'
import {RelativeTime} from 'sanity'
import {Muted} from '../parts/layout.tsx'
import {type FollowedVisits, useVisits} from './useVisits.ts'

const COLORS = {
  seen: 'var(--card-badge-positive-dot-color, #43d675)',
  old: 'var(--card-badge-caution-dot-color, #f59f00)',
  never: 'var(--card-badge-default-dot-color, #9ea6b3)',
}

/** Milliseconds after which pages count as not visited lately. */
const OLD_AFTER = 86_400_000

type SeenLineProps = {
  now: number
  seenAt: number | undefined
  /** What stands before the time. */
  seen: string
  /** In place of it, if pages were never seen. */
  never: string
}

/** A dot, and when pages were last seen. */
function SeenLine({now, seenAt, seen, never}: SeenLineProps) {
  const state = seenAt === undefined ? 'never' : now - seenAt > OLD_AFTER ? 'old' : 'seen'
  return (
    <Flex align="center" data-testid="seen" gap={2}>
      <span
        aria-hidden
        style={{backgroundColor: COLORS[state], borderRadius: '50%', height: '0.6em', width: '0.6em'}}
      />
      <Muted>
        {seenAt === undefined ? (
          never
        ) : (
          <>
            {seen} <RelativeTime time={new Date(seenAt)} useTemporalPhrase />
          </>
        )}
      </Muted>
    </Flex>
  )
}

/** When pages of a site last asked. Nothing while that is not known: “Install” says why. */
export function SiteSeen({visits}: {visits: FollowedVisits | undefined}) {
  if (visits?.answer.state !== 'answered') return null
  return <SeenLine {...visits.answer.value} never="No visit yet (previews do not count)" seen="Seen" />
}

/** The same for a site of which only the public ID is known. */
export function SiteSeenOf({siteId, publicId}: {siteId: string; publicId: unknown}) {
  return <SiteSeen visits={useVisits(siteId, publicId)} />
}

/** When the pages of a tool last asked for it. */
export function ToolSeen({siteId, publicId, toolId}: {siteId: string; publicId: unknown; toolId: string}) {
  const visits = useVisits(siteId, publicId)
  if (visits?.answer.state !== 'answered') return null
  const {now, tools} = visits.answer.value
  return (
    <SeenLine
      never="None of its pages seen yet"
      now={now}
      seen="Its pages were asked for"
      seenAt={tools.get(toolId)}
    />
  )
}
