import {Flex, Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import {RelativeTime} from 'sanity'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {SelectField} from '../parts/fields.tsx'
import {Muted, Note, PaneButton, Rows, Section} from '../parts/layout.tsx'
import {byName, type People, useAccess} from './access.ts'

const KINDS = [
  ['', 'Everything'],
  ['signIn', 'Signing in and out'],
  ['people', 'People and their roles'],
  ['token', 'Tokens'],
  ['review', 'Reviews'],
  ['release', 'Releases'],
  ['publish', 'Published without a review'],
] as const

const PERIODS = [
  ['', 'Any time'],
  ['1', 'The last 24 hours'],
  ['7', 'The last 7 days'],
  ['30', 'The last 30 days'],
] as const

const NO_PEOPLE: People = {editors: [], tokens: []}

const DAY = 24 * 60 * 60_000

/** Who did what with accounts, rights, tokens and reviews, for administrators of all sites. */
export function AuditLog() {
  const [kind, setKind] = useState('')
  const [person, setPerson] = useState('')
  const [days, setDays] = useState('')
  const people = useAccess<People>('/people')
  const {editors, tokens} = people.state === 'answered' ? people.value : NO_PEOPLE
  const names = [...editors, ...tokens].toSorted(byName).map(({id, name}) => [id, name] as const)
  const [since, setSince] = useState('')
  const chooseDays = (value: string) => {
    setDays(value)
    setSince(value === '' ? '' : new Date(Date.now() - Number(value) * DAY).toISOString())
  }
  const filter = new URLSearchParams(
    Object.entries({kind, person, since}).filter(([, value]) => value !== ''),
  ).toString()
  return (
    <Section
      text="Who signed in, who gave rights to whom, which tokens were made and used, reviews, releases, and what was published without one."
      title="Audit log"
    >
      <Flex gap={3} wrap="wrap">
        <SelectField label="Show" of={KINDS} onChange={setKind} value={kind} />
        <SelectField
          label="Person or token"
          of={[['', 'Everyone'], ...names]}
          onChange={setPerson}
          value={person}
        />
        <SelectField label="Time" of={PERIODS} onChange={chooseDays} value={days} />
      </Flex>
      <Events filter={filter} key={filter} />
    </Section>
  )
}

/** `GET /access/audit` */
type AuditPage = {
  events: readonly {id: string; at: string; text: string; client?: string}[]
  next?: string
}

/** The events that a filter selects, page by page. */
function Events({filter}: {filter: string}) {
  const [before, setBefore] = useState<AuditPage['events']>([])
  const [after, setAfter] = useState('')
  const loaded = useAccess<AuditPage>(`/audit?${filter}${after === '' ? '' : `&after=${after}`}`)
  if (loaded.state !== 'answered') return <NotLoaded of={loaded} />
  const {events, next} = loaded.value
  const all = [...before, ...events.filter(({id}) => !before.some((one) => one.id === id))]
  if (all.length === 0) return <Note>Nothing was recorded that fits these filters.</Note>
  return (
    <Stack gap={4}>
      <Rows label="Events" testId="audit-events">
        {all.map(({id, at, text, client}) => (
          <Stack gap={3} key={id}>
            <Text size={1}>{text}</Text>
            <Muted>
              <time dateTime={at} title={new Date(at).toLocaleString()}>
                <RelativeTime time={at} useTemporalPhrase />
              </time>
              {client && `, from ${client}`}
            </Muted>
          </Stack>
        ))}
      </Rows>
      {next !== undefined && (
        <PaneButton
          onClick={() => {
            setBefore(all)
            setAfter(next)
          }}
          text="Show older events"
        />
      )}
    </Stack>
  )
}
