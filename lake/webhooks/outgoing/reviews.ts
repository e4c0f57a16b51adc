import type {Document} from '../../../content/document.ts'
import {draftId, REVIEW_PREFIX} from '../../../content/ids.ts'
import {labelOf} from '../../../content/label.ts'
import type {DocumentStore} from '../../../content/store.ts'
import {releaseIn, titleOf} from '../../write/transaction/releases/release.ts'
import {type ReviewRequest, reviewIn} from '../../write/transaction/review/reviewRequest.ts'
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
