import {Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {Link} from 'sanity/router'
import {fieldTitle} from '../../advice/diagnosis/titles.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Note} from '../parts/layout.tsx'
import {Waiting} from '../parts/lazily.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import type {SiteCalls} from './report.ts'
import type {FollowedCalls} from './useCalls.ts'
import {missingText} from './words.ts'

type WithCallsProps = {
  siteId: string
  calls: FollowedCalls
  children: (calls: SiteCalls) => ReactNode
}

/** Shows calls, or why there are none. */
export function WithCalls({siteId, calls, children}: WithCallsProps) {
  switch (calls.state) {
    case 'waiting':
      return <Waiting />
    case 'failed':
      return <Note tone="caution">{calls.problem}</Note>
    case 'unpublished':
      return <Note>This site is not published yet. Its pages have no tools until then.</Note>
    case 'off':
      return <CallsOff siteId={siteId} />
    case 'answered':
      return (
        <Stack gap={5}>
          {missingText(calls.value).map((text) => (
            <Note key={text}>{text}</Note>
          ))}
          {calls.value.hours.length === 0 ? <NoCalls isOn={calls.value.isOn} /> : children(calls.value)}
        </Stack>
      )
  }
}

function CallsOff({siteId}: {siteId: string}) {
  const addresses = useAddresses()
  return (
    <Note>
      Studio can show how often agents call each tool, how many of the calls fail, and how long they take. It
      is off for this site. Switch on “{fieldTitle('site', 'reportCalls')}” in{' '}
      <Link href={addresses.form('site', siteId)} style={UNDERLINED}>
        its settings
      </Link>
      , and publish.
    </Note>
  )
}

function NoCalls({isOn}: {isOn: boolean}) {
  return (
    <Note>
      No calls in the last 30 days.{' '}
      {isOn
        ? 'Pages report calls when they are closed or hidden, or after a minute.'
        : 'The service does not count them yet: it learns within a minute that this was switched on.'}
    </Note>
  )
}
