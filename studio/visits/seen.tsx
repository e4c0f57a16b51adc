import {Flex} from '@sanity/ui'
import {Muted} from '../parts/note.tsx'
import {type FollowedVisits, useVisits} from './useVisits.ts'
import {describeSiteVisits, describeToolVisits, type Seen} from './words.ts'

const COLORS = {
  seen: 'var(--card-badge-positive-dot-color, #43d675)',
  old: 'var(--card-badge-caution-dot-color, #f59f00)',
  never: 'var(--card-badge-default-dot-color, #9ea6b3)',
}

/** A dot, and when pages were last seen. */
function SeenLine({seen: {state, text}}: {seen: Seen}) {
  const backgroundColor = COLORS[state]
  return (
    <Flex align="center" data-testid="seen" gap={2}>
      <span aria-hidden style={{backgroundColor, borderRadius: '50%', height: '0.6em', width: '0.6em'}} />
      <Muted>{text}</Muted>
    </Flex>
  )
}

/** When pages of a site last asked. Nothing while that is not known: “Install” says why. */
export function SiteSeen({visits}: {visits: FollowedVisits | undefined}) {
  return visits?.answer.state === 'answered' ? (
    <SeenLine seen={describeSiteVisits(visits.answer.value)} />
  ) : null
}

/** The same for a site of which only the public ID is known. */
export function SiteSeenOf({siteId, publicId}: {siteId: string; publicId: unknown}) {
  return <SiteSeen visits={useVisits(siteId, publicId)} />
}

/** When the pages of a tool last asked for it. */
export function ToolSeen({siteId, publicId, toolId}: {siteId: string; publicId: unknown; toolId: string}) {
  const visits = useVisits(siteId, publicId)
  return visits?.answer.state === 'answered' ? (
    <SeenLine seen={describeToolVisits(visits.answer.value, toolId)} />
  ) : null
}
