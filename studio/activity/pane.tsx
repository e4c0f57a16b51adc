import {Flex, Stack} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useRouter} from 'sanity/router'
import type {StoredDocument} from '../../schemas/documents.ts'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {useContent} from '../live/useContent.ts'
import {Column, Note, PaneButton, Rows, Section, SmallButton, Strong} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import {errorWords} from '../saving/errorWords.ts'
import {restore} from './activity.ts'
import {ChangeList, LatestDocuments} from './changeList.tsx'
import {namesOf} from './names.ts'
import {useActivity} from './useActivity.ts'

/** Changes to fetch at once. */
const PAGE = 50

type ActivityPaneProps = {siteId: string; documents: readonly StoredDocument[]}

/** Who changed what on a site and when, and its deleted documents. */
export function ActivityPane(props: ActivityPaneProps) {
  return (
    <Column testId="activity-pane">
      <SiteActivity {...props} />
    </Column>
  )
}

function SiteActivity({siteId, documents}: ActivityPaneProps) {
  const {answer, deleted, names, loadMore} = useActivity(siteId, PAGE, documents)
  if (answer.state !== 'answered') return <NotLoaded of={answer} />
  if (answer.value === undefined)
    return (
      <Section
        title="Last changes"
        text="When each document last changed. Who changed it, and which documents were deleted, is listed here only for content in a Git repository."
      >
        <LatestDocuments documents={documents} max={PAGE} names={names} />
      </Section>
    )
  const {activity} = answer.value
  return (
    <Stack gap={6}>
      {deleted.length > 0 && <Deleted documents={deleted} />}
      <Section
        title="Published changes"
        text="Every publish is a commit. A document’s own history also shows what happened to its drafts."
      >
        <ChangeList activity={activity} names={names} />
        {activity.changes.length === 0 && <Note>Nothing was published yet.</Note>}
        {activity.nextCursor !== '' && <PaneButton onClick={loadMore} text="Show older changes" />}
      </Section>
    </Stack>
  )
}

function Deleted({documents}: {documents: readonly StoredDocument[]}) {
  const client = useContent()
  const toast = useToast()
  const router = useRouter()
  const bringBack = (document: StoredDocument) =>
    restore(client, document).then(
      () =>
        toast.push({
          status: 'success',
          title: 'Restored as a draft',
          // Toasts are outside of the router, so they cannot have an `IntentLink`.
          description: (
            <>
              <a
                href={router.resolveIntentLink('edit', {id: document._id, type: document._type})}
                style={UNDERLINED}
              >
                Open it
              </a>
              , and publish it to offer it again.
            </>
          ),
        }),
      (error: unknown) =>
        toast.push({
          status: 'error',
          title: 'Not restored',
          description: errorWords(error),
        }),
    )
  return (
    <Section title="Deleted" text="Restoring makes a draft. Pages do not change until you publish it.">
      <Rows>
        {documents.map((document) => {
          const name = namesOf([document]).get(document._id) ?? document._id
          return (
            <Flex align="center" gap={3} justify="space-between" key={document._id}>
              <Strong>{name}</Strong>
              <SmallButton
                aria-label={`Restore ${name}`}
                onClick={() => void bringBack(document)}
                text="Restore"
              />
            </Flex>
          )
        })}
      </Rows>
    </Section>
  )
}
