import {isJsonObject} from '../../common/json.ts'
import {type Document, labelOf} from '../../content/document.ts'
import type {History} from '../../content/history/history.ts'
import {draftId, REVIEW_PREFIX} from '../../content/ids.ts'
import {jsonPath} from '../../content/layout/layout.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {View} from '../../content/view.ts'
import type {AuditLog} from '../audit/auditLog.ts'
import {releaseIn, titleOf} from '../write/transaction/releases/release.ts'
import {type ReviewRequest, reviewIn} from '../write/transaction/review/reviewRequest.ts'
import type {HookSource} from './deliverer.ts'

type Store = Pick<DocumentStore, 'get' | 'idsFrom'>

/**
 * The requests for reviews, for addresses such as a chat, where reviewers see them. The requests are the queue: one that is done
 * before its delivery is not reported.
 */
export function reviewsFor(store: Store): HookSource {
  return {
    kind: 'review',
    now: () => new Date().toISOString(),
    since(cursor) {
      const open = store
        .idsFrom(REVIEW_PREFIX)
        .map((id) => store.get(id))
        .filter(isOpen)
        .filter(({at}) => at > cursor)
        .sort((one, other) => (one.at < other.at ? -1 : 1))
      return {
        cursor: open.at(-1)?.at ?? cursor,
        deliveries: open.map(({_id: id, at}) => () => {
          const now = store.get(id)
          // One that was requested again meanwhile is found by its later time.
          if (!isOpen(now) || now.at !== at) return undefined
          return {id, operation: 'create', transactionId: now._rev, body: bodyOf(now, store)}
        }),
      }
    },
  }
}

/** `text` is what Slack, Mattermost and others show. */
function bodyOf(review: Document & ReviewRequest, store: Store) {
  const {_id, _type, _rev, document: id, site: siteId, by, at, comments, comparePage} = review
  const {action} = reviewIn(review) ?? review
  const subject = store.get(draftId(id)) ?? store.get(id)
  const site = siteId === null ? undefined : store.get(siteId)
  const release = releaseIn(subject)
  const name = release !== undefined ? titleOf(release) : subject === undefined ? id : labelOf(subject)
  const kind = release !== undefined ? 'release' : (subject?._type ?? 'document')
  const where = site === undefined || site._id === id ? '' : ` of ${labelOf(site)}`
  const comment = comments.at(-1)?.text
  return {
    text: `${by.name} requests a review to ${action} ${kind} “${name}”${where}`,
    _id,
    _type,
    _rev,
    document: {_id: id, _type: subject?._type, name},
    ...(site !== undefined && {site: {_id: site._id, name: labelOf(site)}}),
    action,
    by: {id: by.id, name: by.name},
    at,
    ...(comment !== undefined && {comment}),
    ...(comparePage !== undefined && {comparePage}),
  }
}

function isOpen(document: Document | undefined): document is Document & ReviewRequest {
  return reviewIn(document)?.state === 'open'
}

/** Maximum events of one delivery. */
const MAX_EVENTS = 100

/** The events of the audit log, which is the queue: events that it deleted meanwhile are not posted. */
export function auditEventsFor(audit: Pick<AuditLog, 'find' | 'lines'>): HookSource {
  return {
    kind: 'audit',
    now: () => audit.find({limit: 1}).events[0]?.id ?? '',
    since(cursor) {
      const events = audit
        .lines(cursor, MAX_EVENTS)
        .map((line): unknown => JSON.parse(line))
        .filter(isJsonObject)
      const id = events.at(-1)?.id
      if (typeof id !== 'string') return {cursor, deliveries: []}
      return {
        cursor: id,
        deliveries: [() => ({id, operation: 'create', transactionId: id, body: {events}})],
      }
    },
  }
}

type Published = {
  readonly history: Pick<History, 'positionOf' | 'changesAfter'>
  readonly published: () => Pick<View, 'get' | 'all'>
  /** The commit whose documents are served. */
  readonly head: () => string | undefined
  readonly logger: {warn(details: object, message: string): void}
}

/**
 * The changes of published documents. The history is the queue: while an address fails, several changes of a document become one.
 */
export function changesFor({history, published, head, logger}: Published): HookSource {
  /** The documents that changed after a commit, and whether each is new. */
  function changedAfter(commit: string) {
    const position = history.positionOf(commit)
    if (position !== undefined) {
      const changes = history.changesAfter(position)
      return Array.from(Map.groupBy(changes, jsonPath).values(), ([first, ...others]) => {
        const json = [first, ...others].find((file) => file?.field === undefined)
        const isNew = json !== undefined && json.replaced === undefined
        return {id: first?.id ?? '', type: first?.type ?? '', isNew}
      })
    }
    logger.warn({commit}, 'cannot compare with the last delivery: reporting every document')
    return Array.from(published().all(), ({_id: id, _type: type}) => ({id, type, isNew: false}))
  }

  return {
    kind: 'change',
    now: head,
    since(from) {
      const cursor = head() ?? from
      const found = cursor === from ? [] : changedAfter(from)
      return {
        cursor,
        deliveries: found.map(({id, type, isNew}) => () => {
          const now = published().get(id)
          const operation = now === undefined ? 'delete' : isNew ? 'create' : 'update'
          return {id, operation, transactionId: cursor, body: namesOf(now) ?? {_id: id, _type: type}}
        }),
      }
    },
  }
}

function namesOf(document: Document | undefined) {
  if (document === undefined) return undefined
  const {_id, _type, _rev, _createdAt, _updatedAt} = document
  return {_id, _type, _rev, _createdAt, _updatedAt}
}
