import {Card, Heading, Stack, Text} from '@sanity/ui'
import {useMemo} from 'react'
import {RelativeTime, useDocumentPairPermissions} from 'sanity'
import {IntentLink} from 'sanity/router'
import {visible} from '../../schemas/changes/visible.ts'
import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {hasTests, needsTests} from '../../schemas/review.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {useFieldTitle} from '../parts/fieldTitle.ts'
import {Muted} from '../parts/note.tsx'
import {describeReviewed, type ReviewedTests} from '../tests/report.ts'
import {changeOf, type ReviewedChange} from './changes.ts'
import {Conversation} from './conversation.tsx'
import {Decision} from './decision.tsx'
import {FieldDiff} from './diff/fieldDiff.tsx'
import type {Review} from './review.ts'

const KINDS: Readonly<Record<string, string>> = {site: 'site', tool: 'tool', formTool: 'form tool'}

type ReviewCardProps = {
  review: Review
  documents: readonly StoredDocument[]
  siteId: string
  /** Of all changes of the site. Undefined: not known yet. */
  tests: readonly ReviewedTests[] | undefined
}

/** A request for a review: what it changes, what others say, and what you can do. */
export function ReviewCard({review, documents, siteId, tests}: ReviewCardProps) {
  const titleOf = useFieldTitle()
  const change = useMemo(() => changeOf(review, documents, titleOf), [review, documents, titleOf])
  const draft = documents.find(({_id}) => _id === `drafts.${review.document}`)
  const subject = change.after ?? change.before ?? draft
  const siteBefore = (id: string) => documents.find(({_id}) => _id === id)
  return (
    subject && (
      <Shown
        change={change}
        draft={draft}
        asksForTests={needsTests(change, siteBefore)}
        review={review}
        siteId={siteId}
        subject={subject}
        tests={tests}
      />
    )
  )
}

type ShownProps = {
  review: Review
  siteId: string
  change: ReviewedChange
  draft: StoredDocument | undefined
  /** The document, as it is to be shown. */
  subject: StoredDocument
  tests: readonly ReviewedTests[] | undefined
  /** Whether the site asks that tests passed. */
  asksForTests: boolean
}

function Shown({review, siteId, change, draft, subject, tests, asksForTests}: ShownProps) {
  const type = subject._type
  const [permissions] = useDocumentPairPermissions({id: review.document, type, permission: 'publish'})
  const mayPublish = permissions?.granted === true
  const name = visible(textOf(subject.name)) || 'Untitled'
  const isAsRequested = draft?._rev === review.draftRevision
  const own = tests?.find(
    ({document, revision}) => document === review.document && revision === review.after && isAsRequested,
  )
  // While it is not known, the lake decides.
  const lacksTests = asksForTests && tests !== undefined && own?.failed !== 0
  return (
    <Card as="li" border data-testid={`review-${name}`} padding={4} radius={2}>
      <Stack gap={5}>
        <Stack gap={3}>
          <Heading as="h2" size={1}>
            <IntentLink
              intent="edit"
              params={{id: review.document, type}}
              style={{textDecoration: 'underline'}}
            >
              {name}
            </IntentLink>
          </Heading>
          <Muted>
            {review.by} asks to {review.action} this {KINDS[type] ?? type},{' '}
            <RelativeTime time={review.at} useTemporalPhrase />.
          </Muted>
        </Stack>
        <WhatChanges change={change} type={type} />
        {tests !== undefined && <Tests after={change.after} tests={own} />}
        {review.comparePage !== undefined && !review.isSentBack && <AtGitHost page={review.comparePage} />}
        <Conversation maySendBack={mayPublish} review={review} />
        <Decision
          draftRevision={draft?._rev}
          isTool={type !== 'site'}
          lacksTests={lacksTests}
          mayPublish={mayPublish}
          publishedRevision={change.before?._rev}
          review={review}
          siteId={siteId}
        />
      </Stack>
    </Card>
  )
}

type TestsProps = {after: StoredDocument | undefined; tests: ReviewedTests | undefined}

/** Whether the tests of a changed tool ran as it is to be published, and what they said. */
function Tests({after, tests}: TestsProps) {
  if (after === undefined || after.enabled !== true || after._type === 'site') return null
  const words = hasTests(after)
    ? describeReviewed(tests)
    : `This ${KINDS[after._type] ?? 'tool'} has no tests.`
  return <Lines lines={[words]} name="review-tests" title="Tests" />
}

function AtGitHost({page}: {page: string}) {
  return (
    <Text size={1}>
      Developers can also{' '}
      <a
        data-testid="review-compare"
        href={page}
        rel="noreferrer"
        style={{textDecoration: 'underline'}}
        target="_blank"
      >
        review and merge it at the Git host
      </a>
      . Merging publishes it.
    </Text>
  )
}

function WhatChanges({change, type}: {change: ReviewedChange; type: string}) {
  const titleOf = useFieldTitle()
  const {forVisitors, fields, advice, siteNames, before, after} = change
  const known = type === 'tool' || type === 'formTool' ? type : 'site'
  return (
    <Stack gap={5}>
      <Lines
        lines={forVisitors.length === 0 ? ['Nothing changes on the pages.'] : forVisitors}
        name="review-visitors"
        title="For visitors and their agents"
      />
      {after !== undefined &&
        fields.map((field) => (
          <FieldDiff
            change={field}
            isNew={before === undefined}
            key={field.field}
            siteNames={siteNames}
            title={titleOf(known, field.field)}
          />
        ))}
      {advice.length > 0 && <Lines lines={advice} name="review-advice" title="Advice on the draft" />}
    </Stack>
  )
}

function Lines({title, lines, name}: {title: string; lines: readonly string[]; name: string}) {
  return (
    <Stack data-testid={name} gap={3}>
      <Text size={1} weight="medium">
        {title}
      </Text>
      {lines.map((line) => (
        <Text key={line} size={1}>
          {visible(line)}
        </Text>
      ))}
    </Stack>
  )
}
