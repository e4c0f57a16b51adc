import {Badge, Flex, Stack} from '@sanity/ui'
import {Link} from 'sanity/router'
import {counted} from '../../common/text/counted.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Note} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import type {SiteSummary} from './siteSummary.ts'

/** What a site offers, in a line of badges. */
export function SiteBadges({site}: {site: SiteSummary}) {
  const {isOff, state, tools, formTools, off, drafts, reviews, sentBack, problems, leftOut} = site
  const wrong = problems.length + leftOut.length
  return (
    <Flex gap={2} wrap="wrap">
      {isOff ? (
        <Badge tone="critical">Switched off</Badge>
      ) : (
        <Badge tone={tools + formTools > 0 ? 'positive' : 'default'}>
          {tools + formTools === 0
            ? `No tools ${state}`
            : `${[counted(tools, 'tool'), counted(formTools, 'form tool')].filter((one) => !one.startsWith('0')).join(' and ')} ${state}`}
        </Badge>
      )}
      {off > 0 && <Badge>{off} off</Badge>}
      {reviews > 0 && (
        <Badge data-testid="reviews-wait" tone="primary">
          {reviewsWait(reviews)}
        </Badge>
      )}
      {sentBack > 0 && <Badge tone="caution">{counted(sentBack, 'change')} sent back</Badge>}
      {drafts > 0 && <Badge tone="caution">{counted(drafts, 'draft')} not published</Badge>}
      {wrong > 0 && <Badge tone="critical">{counted(wrong, 'problem')}</Badge>}
    </Flex>
  )
}

/** What is wrong with a site: why it offers nothing, and which documents are left out. */
export function SiteProblems({site: {id: siteId, problems, leftOut}}: {site: SiteSummary}) {
  const addresses = useAddresses()
  if (problems.length + leftOut.length === 0) return null
  return (
    <Stack gap={3}>
      {problems.map((problem) => (
        <Note key={problem} tone="critical">
          {problem}
        </Note>
      ))}
      {leftOut.map(({id, type, name, why}) => (
        <Note key={id} tone="critical">
          <Link href={addresses.tool(siteId, type, id)} style={UNDERLINED}>
            {name}
          </Link>{' '}
          is left out. {why}
        </Note>
      ))}
    </Stack>
  )
}

/** How many reviews wait, in words. */
export function reviewsWait(count: number): string {
  return count === 1 ? '1 review waits' : `${count} reviews wait`
}
