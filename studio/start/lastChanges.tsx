import {Heading, Stack} from '@sanity/ui'
import {useMemo} from 'react'
import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {ChangeList, LatestDocuments} from '../activity/changeList.tsx'
import {namesOf, revisionsOf} from '../activity/names.ts'
import {useActivity} from '../activity/useActivity.ts'

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
        <LatestDocuments documents={documents} max={MAX_SHOWN} names={names} />
      )}
    </Stack>
  )
}
