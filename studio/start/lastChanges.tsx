import type {StoredDocument} from '../../schemas/documents.ts'
import {ChangeList, LatestDocuments} from '../activity/changeList.tsx'
import {useActivity} from '../activity/useActivity.ts'
import {Section} from '../parts/section.tsx'
import {MAX_LATEST} from './siteSummary.ts'

/** The last published changes of all sites: who, when and what, or with hosted Sanity when and what. */
export function LastChanges({documents}: {documents: readonly StoredDocument[]}) {
  const {answer, names} = useActivity(undefined, MAX_LATEST, documents)
  return (
    <Section testId="start-changes" title="Last changes">
      {answer.state === 'answered' && answer.value ? (
        <ChangeList activity={answer.value.activity} names={names} />
      ) : (
        <LatestDocuments documents={documents} max={MAX_LATEST} names={names} />
      )}
    </Section>
  )
}
