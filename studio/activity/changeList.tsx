import {Badge, Flex, Stack, Text} from '@sanity/ui'
import {RelativeTime} from 'sanity'
import {IntentLink, Link} from 'sanity/router'
import {fieldTitle, nounOf} from '../../advice/diagnosis/titles.ts'
import {publishedIdOf} from '../../schemas/documentId.ts'
import type {StoredDocument} from '../../schemas/documents.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Muted, Rows, Strong} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import type {Activity, Change, ChangedDocument} from './activity.ts'

const VERBS = {created: 'Added', updated: 'Changed', deleted: 'Removed'}

/** Maximum documents of a change to show. */
const MAX_SHOWN = 5

type Names = ReadonlyMap<string, string>

/**
 * Who changed what and when.
 * @param names of documents, by their ids. A document without a name does not exist
 */
export function ChangeList({activity: {changes, commitPage}, names}: {activity: Activity; names: Names}) {
  return (
    <Rows>
      {changes.map((change) => (
        <ChangeRow change={change} commitPage={commitPage} key={change.commit} names={names} />
      ))}
    </Rows>
  )
}

type ChangeRowProps = {change: Change; commitPage: string | undefined; names: Names}

function ChangeRow({change, commitPage, names}: ChangeRowProps) {
  const {commit, timestamp, name, subject, writers, reviewer, skippedReview, documents, hasMore} = change
  const rest = documents.length - MAX_SHOWN
  return (
    <Stack data-testid="activity-change" gap={3}>
      <Flex gap={2} justify="space-between" wrap="wrap">
        <Strong>{writers || name}</Strong>
        <Muted>
          <RelativeTime time={timestamp} useTemporalPhrase />
        </Muted>
      </Flex>
      {documents.slice(0, MAX_SHOWN).map((document) => (
        <Text key={`${document.type}/${document.id}`} size={1}>
          <Sentence document={document} name={names.get(document.id)} />
        </Text>
      ))}
      {(rest > 0 || hasMore) && (
        <Text size={1}>{hasMore ? 'And many more documents.' : `And ${rest} more.`}</Text>
      )}
      {reviewer !== undefined && <Muted>Reviewed by {reviewer}</Muted>}
      {writers && name !== reviewer && <Muted>Published by {name}</Muted>}
      {skippedReview !== undefined && (
        <Flex align="center" data-testid="activity-skipped" gap={2} wrap="wrap">
          <Badge tone="critical">Without review</Badge>
          <Text size={1}>{skippedReview}</Text>
        </Flex>
      )}
      <Text muted size={0}>
        {subject}
        {' · '}
        {commitPage === undefined ? (
          commit.slice(0, 10)
        ) : (
          <a href={`${commitPage}${commit}`} rel="noreferrer" style={UNDERLINED} target="_blank">
            {commit.slice(0, 10)}
          </a>
        )}
      </Text>
    </Stack>
  )
}

type SentenceProps = {document: ChangedDocument; name: string | undefined}

function Sentence({document: {id, type, change, fields = []}, name}: SentenceProps) {
  const addresses = useAddresses()
  const start = `${VERBS[change]} ${nounOf(type)} `
  if (change === 'deleted' || name === undefined) return `${start}${name ?? id}`
  return (
    <>
      {start}
      <Link href={type === 'site' ? addresses.site(id) : addresses.form(type, id)} style={UNDERLINED}>
        {name}
      </Link>
      {fields.length > 0 && `: ${fields.map((field) => fieldTitle(type, field)).join(', ')}`}
    </>
  )
}

type LatestDocumentsProps = {documents: readonly StoredDocument[]; names: Names; max: number}

/** The documents that changed last: what hosted Sanity knows of who changed what. */
export function LatestDocuments({documents, names, max}: LatestDocumentsProps) {
  const latest = documents.toSorted((a, b) => String(b._updatedAt).localeCompare(String(a._updatedAt)))
  return (
    <Rows>
      {latest.slice(0, max).map(({_id, _type, _updatedAt}) => {
        const id = publishedIdOf(_id)
        return (
          <Text key={_id} size={1}>
            <IntentLink intent="edit" params={{id, type: _type}} style={UNDERLINED}>
              {names.get(id)}
            </IntentLink>
            {', '}
            <RelativeTime time={String(_updatedAt)} useTemporalPhrase />
          </Text>
        )
      })}
    </Rows>
  )
}
