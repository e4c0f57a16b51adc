import type {IncomingHttpHeaders} from 'node:http'
import {isJsonObject, jsonIn} from '../../common/json.ts'
import {refusal} from './refusals.ts'

/** A Git host's event: a push to a branch or a tag (`refs/heads/main`), or the name of any other event. */
type Delivery = {readonly pushedTo: string} | {readonly event: string}

/** Maximum characters of an event's name to repeat in a response. */
const MAX_EVENT_NAME = 64

/**
 * Parses deliveries of GitHub, GitLab, Gitea and Forgejo. Only the name of the pushed ref is used: the
 * content is fetched from the remote that the operator has configured.
 * @throws HttpError 400
 */
export function parseDelivery(headers: IncomingHttpHeaders, body: Buffer): Delivery {
  const payload = jsonIn(body.toString())
  if (!isJsonObject(payload)) throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'The body is not a JSON object.')
  const event = headers['x-github-event'] ?? headers['x-gitlab-event'] ?? payload.object_kind
  if (typeof event !== 'string')
    throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'X-GitHub-Event or X-Gitlab-Event is missing.')
  // GitLab's system hooks name the event only in the payload.
  const isPush = /^push( hook)?$/i.test(event) || payload.object_kind === 'push'
  if (!isPush) return {event: event.slice(0, MAX_EVENT_NAME)}
  const {ref} = payload
  if (typeof ref !== 'string' || !ref.startsWith('refs/'))
    throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'A push needs a "ref" such as "refs/heads/main".')
  return {pushedTo: ref}
}
