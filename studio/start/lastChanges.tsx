import {Heading, Stack, Text} from '@sanity/ui'
import {useMemo} from 'react'
import {RelativeTime} from 'sanity'
import {IntentLink} from 'sanity/router'
import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {ChangeList} from '../activity/changeList.tsx'
import {latestOf, namesOf, revisionsOf} from '../activity/names.ts'
import {useActivity} from '../activity/useActivity.ts'
import {Rows} from '../parts/rows.tsx'
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
      {live.state === 'ready' ? (
        <ChangeList activity={live.activity} names={names} />
      ) : (
        <Rows>
          {latestOf(documents, MAX_SHOWN).map(({_id, _type, _updatedAt}) => (
            <Text key={_id} size={1}>
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
          ))}
        </Rows>
      )}
    </Stack>
  )
}
