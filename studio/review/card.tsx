import {Card, Flex, Heading, Stack, Text} from '@sanity/ui'
import {useMemo, useState} from 'react'
import {RelativeTime, useDocumentPairPermissions} from 'sanity'
import {IntentLink} from 'sanity/router'
import {fieldTitle, nounOf} from '../../advice/diagnosis/titles.ts'
import {type StoredDocument, siteOf} from '../../schemas/documents.ts'
import {isRecord} from '../../schemas/record.ts'
import {hasTests, needsTests} from '../../schemas/review.ts'
import {textOf, visible} from '../../schemas/rules/text.ts'
import {useSend} from '../live/useSend.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Field} from '../parts/fields.tsx'
import {Muted, PaneButton, Strong} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import {describeReviewed, type ReviewedTests} from '../tests/report.ts'
import {type ReviewedChange, reviewedIn} from './changes.ts'
import {Decision} from './decision.tsx'
import {FieldDiff} from './diff/fieldDiff.tsx'
import type {Review} from './review.ts'
import {answerReview, MAX_LENGTH} from './send.ts'

type ReviewCardProps = {
  review: Review
  documents: readonly StoredDocument[]
  siteId: string
  /** Of all changes of the site. Undefined: not known yet. */
  tests: readonly ReviewedTests[] | undefined
}

/** A request for a review: what it changes, what others say, and what you can do. */
export function ReviewCard({review, documents, siteId, tests}: ReviewCardProps) {
  const addresses = useAddresses()
  const reviewed = useMemo(() => reviewedIn(review, documents), [review, documents])
  const {release, comparePage, isSentBack, by, action, at} = review
  const {changes, forVisitors} = reviewed
  const [first] = changes
  const type = first?.subject?._type ?? 'tool'
  // Of a release that changes several sites, the lake asks for each document.
  const [permissions] = useDocumentPairPermissions({
    id: first?.id ?? review.document,
    type,
    permission: 'publish',
  })
  const mayPublish = permissions?.granted === true
  const metadata = documents.find(({_id}) => _id === review.document)?.metadata
  const name =
    release === undefined
      ? nameOf(first?.subject)
      : visible(textOf(isRecord(metadata) ? metadata.title : '')) || release
  const shownRelease = useMemo(
    () => (release === undefined ? undefined : {name: release, title: name}),
    [release, name],
  )
  const testsOf = ({id, revision}: ReviewedChange) =>
    tests?.find((one) => one.document === id && one.revision === revision)
  const siteBefore = (id: string) => documents.find(({_id}) => _id === id)
  // While it is not known, and for tools of other sites, the lake decides.
  const lacksTests =
    tests !== undefined &&
    changes.some(
      (change) =>
        siteOf(change.after) === siteId && needsTests(change, siteBefore) && testsOf(change)?.failed !== 0,
    )
  if (release === undefined && first?.subject === undefined) return null
  return (
    <Card as="li" border data-testid={`review-${name}`} padding={4} radius={2}>
      <Stack gap={5}>
        <Stack gap={3}>
          <Heading as="h2" size={1}>
            {release === undefined ? (
              <FormLink id={review.document} name={name} type={type} />
            ) : (
              <a href={addresses.release(release)} style={UNDERLINED}>
                {name}
              </a>
            )}
          </Heading>
          <Muted>
            {by} asks to {action} this {release === undefined ? nounOf(type) : 'release'},{' '}
            <RelativeTime time={at} useTemporalPhrase />.
          </Muted>
        </Stack>
        <Lines
          lines={forVisitors.length === 0 ? ['Nothing changes on the pages.'] : forVisitors}
          name="review-visitors"
          title="For visitors and their agents"
        />
        {changes.map((change) => (
          <Changed
            change={change}
            key={change.id}
            release={release}
            siteNames={reviewed.siteNames}
            tests={tests && {found: testsOf(change)}}
          />
        ))}
        {comparePage !== undefined && !isSentBack && (
          <Text size={1}>
            Developers can also{' '}
            <a
              data-testid="review-compare"
              href={comparePage}
              rel="noreferrer"
              style={UNDERLINED}
              target="_blank"
            >
              review and merge it at the Git host
            </a>
            . Merging publishes it.
          </Text>
        )}
        <Conversation maySendBack={mayPublish} review={review} />
        <Decision
          isTool={release === undefined && type !== 'site'}
          lacksTests={lacksTests}
          mayPublish={mayPublish}
          release={shownRelease}
          review={review}
          reviewed={reviewed}
          siteId={siteId}
        />
      </Stack>
    </Card>
  )
}

type FormLinkProps = {id: string; type: string; name: string; release?: string}

function FormLink({id, type, name, release}: FormLinkProps) {
  const searchParams: [string, string][] = release === undefined ? [] : [['perspective', release]]
  return (
    <IntentLink intent="edit" params={{id, type}} searchParams={searchParams} style={UNDERLINED}>
      {name}
    </IntentLink>
  )
}

type ChangedProps = {
  change: ReviewedChange
  /** The name of the release that it is part of. Undefined: there is only this change. */
  release: string | undefined
  siteNames: ReadonlyMap<string, string>
  /** Undefined: not known yet. */
  tests: {found: ReviewedTests | undefined} | undefined
}

/** What changes in one document. */
function Changed({change, release, siteNames, tests}: ChangedProps) {
  const {id, subject, before, after, fields, advice} = change
  const type = subject?._type
  const known = type === 'tool' || type === 'formTool' ? type : 'site'
  const name = nameOf(subject)
  const content = (
    <Stack gap={5}>
      {release !== undefined && (
        <Stack gap={3}>
          <Heading as="h3" size={0}>
            <FormLink id={id} name={name} release={release} type={known} />
          </Heading>
          <Muted>{changeInWords(change, nounOf(known))}</Muted>
        </Stack>
      )}
      {after !== undefined &&
        fields.map((field) => (
          <FieldDiff
            change={field}
            isNew={before === undefined}
            key={field.field}
            siteNames={siteNames}
            title={fieldTitle(known, field.field)}
          />
        ))}
      {advice.length > 0 && <Lines lines={advice} name="review-advice" title="Advice on the draft" />}
      {tests !== undefined && <Tests after={after} tests={tests.found} />}
    </Stack>
  )
  return release === undefined ? (
    content
  ) : (
    <Card border data-testid={`review-change-${name}`} padding={4} radius={2}>
      {content}
    </Card>
  )
}

function changeInWords({before, after, fields}: ReviewedChange, kind: string): string {
  if (after === undefined) return `The release unpublishes this ${kind}. It stays as a draft.`
  if (before === undefined) return `A new ${kind}.`
  return fields.length === 0 ? `This ${kind} is published like this already.` : `A changed ${kind}.`
}

const nameOf = (document: StoredDocument | undefined) => visible(textOf(document?.name)) || 'Untitled'

type TestsProps = {after: StoredDocument | undefined; tests: ReviewedTests | undefined}

/** Whether the tests of a changed tool ran as it is to be published, and what they said. */
function Tests({after, tests}: TestsProps) {
  if (after === undefined || after.enabled !== true || after._type === 'site') return null
  const words = hasTests(after) ? describeReviewed(tests) : `This ${nounOf(after._type)} has no tests.`
  return <Lines lines={[words]} name="review-tests" title="Tests" />
}

function Lines({title, lines, name}: {title: string; lines: readonly string[]; name: string}) {
  return (
    <Stack data-testid={name} gap={3}>
      <Strong>{title}</Strong>
      {lines.map((line) => (
        <Text key={line} size={1}>
          {visible(line)}
        </Text>
      ))}
    </Stack>
  )
}

/** The comments on a request, and a field for another one. */
function Conversation({review, maySendBack}: {review: Review; maySendBack: boolean}) {
  const {document, comments, isSentBack} = review
  const [text, setText] = useState('')
  const {isBusy, run} = useSend()
  const say = async (kind: 'comment' | 'sendBack') => {
    const done = kind === 'comment' ? 'Comment saved' : 'Sent back'
    if (await run(done, (client) => answerReview(client, kind, document, text))) setText('')
  }
  const isEmpty = isBusy || text.trim() === ''
  return (
    <Stack gap={4}>
      {comments.length > 0 && (
        <Stack as="ul" gap={3}>
          {comments.map(({key, name, at, text: said}) => (
            <Stack as="li" data-testid="review-comment" gap={2} key={key}>
              <Text size={1}>
                <strong>{name}</strong>{' '}
                <span>
                  <RelativeTime time={at} useTemporalPhrase />
                </span>
              </Text>
              <Text size={1} style={{whiteSpace: 'pre-wrap'}}>
                {said}
              </Text>
            </Stack>
          ))}
        </Stack>
      )}
      <Stack gap={3}>
        <Field
          label="Comment"
          maxLength={MAX_LENGTH}
          onChange={setText}
          rows={2}
          testId="review-comment-text"
          value={text}
        />
        <Flex gap={2} wrap="wrap">
          <PaneButton disabled={isEmpty} onClick={() => void say('comment')} text="Comment" />
          {maySendBack && !isSentBack && (
            <PaneButton
              data-testid="review-send-back"
              disabled={isEmpty}
              onClick={() => void say('sendBack')}
              text="Send back with this comment"
              tone="caution"
            />
          )}
        </Flex>
      </Stack>
    </Stack>
  )
}
