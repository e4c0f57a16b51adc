import {Card, Heading, Stack, Text} from '@sanity/ui'
import {useMemo} from 'react'
import {RelativeTime} from 'sanity'
import {IntentLink} from 'sanity/router'
import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {ChangeRow} from '../activity/changeRow.tsx'
import {namesOf, revisionsOf} from '../activity/names.ts'
import {useActivity} from '../activity/useActivity.ts'
import {UNDERLINED} from '../parts/underlined.ts'

const NONE: readonly StoredDocument[] = []

/** Changes to show. */
const MAX_SHOWN = 6

/** The last published changes of all sites: who, when and what, or with hosted Sanity when and what. */
export function LastChanges({documents}: {documents: readonly StoredDocument[]}) {
  const {live} = useActivity(undefined, MAX_SHOWN, revisionsOf(documents))
  const deleted = live.state === 'ready' ? live.deleted : NONE
  const names = useMemo(() => new Map([...namesOf(deleted), ...namesOf(documents)]), [deleted, documents])
  return (
    <Stack data-testid="start-changes" gap={4}>
      <Heading as="h2" size={1}>
        Last changes
      </Heading>
      <Card border overflow="hidden" radius={2}>
        <Stack as="ul">
          {live.state === 'ready'
            ? live.activity.changes.map((change, index) => (
                <ChangeRow
                  change={change}
                  commitPage={live.activity.commitPage}
                  isFirst={index === 0}
                  key={change.commit}
                  names={names}
                />
              ))
            : latestOf(documents).map(({_id, _type, _updatedAt}, index) => (
                <Card as="li" borderTop={index > 0} key={_id} padding={3}>
                  <Text size={1}>
                    <IntentLink
                      intent="edit"
                      params={{id: _id.replace(/^drafts\./, ''), type: _type}}
                      style={UNDERLINED}
                    >
                      {names.get(_id.replace(/^drafts\./, ''))}
                    </IntentLink>
                    {', '}
                    <RelativeTime time={String(_updatedAt)} useTemporalPhrase />
                  </Text>
                </Card>
              ))}
        </Stack>
      </Card>
    </Stack>
  )
}

function latestOf(documents: readonly StoredDocument[]): StoredDocument[] {
  return documents
    .toSorted((a, b) => String(b._updatedAt).localeCompare(String(a._updatedAt)))
    .slice(0, MAX_SHOWN)
}
