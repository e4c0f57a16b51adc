import type {StoredDocument} from '../../schemas/documents.ts'
import {ChangeList, LatestDocuments} from '../activity/changeList.tsx'
import {useActivity} from '../activity/useActivity.ts'
import {Section} from '../parts/section.tsx'

/** Changes to show. */
const MAX_SHOWN = 6

/** The last published changes of all sites: who, when and what, or with hosted Sanity when and what. */
export function LastChanges({documents}: {documents: readonly StoredDocument[]}) {
  const {answer, names} = useActivity(undefined, MAX_SHOWN, documents)
  return (
    <Section testId="start-changes" title="Last changes">
      {answer.state === 'answered' && answer.value ? (
        <ChangeList activity={answer.value.activity} names={names} />
      ) : (
        <LatestDocuments documents={documents} max={MAX_SHOWN} names={names} />
      )}
    </Section>
  )
}
