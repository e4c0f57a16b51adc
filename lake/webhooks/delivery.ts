import type {IncomingHttpHeaders} from 'node:http'
import {isJsonObject, type JsonObject} from '../documents/document.ts'
import {refusal} from './refusals.ts'

/** What a Git host tells of: somebody has pushed to a branch or a tag (`refs/heads/main`), or anything else, by its name. */
export type Delivery = {readonly pushedTo: string} | {readonly event: string}

/** Characters of an event's name that are repeated in an answer. */
const MAX_EVENT_NAME = 64

/**
 * Reads what GitHub, GitLab, Gitea and Forgejo send. Only where was pushed to is taken from it: what was pushed is
 * fetched from the remote that an operator has set.
 * @throws HttpError 400
 */
export function parseDelivery(headers: IncomingHttpHeaders, body: Buffer): Delivery {
  const payload = parsePayload(body)
  const event = headers['x-github-event'] ?? headers['x-gitlab-event'] ?? payload.object_kind
  if (typeof event !== 'string')
    throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'X-GitHub-Event or X-Gitlab-Event is missing.')
  // GitLab's system hooks name the event in the payload alone.
  const isPush = /^push( hook)?$/i.test(event) || payload.object_kind === 'push'
  if (!isPush) return {event: event.slice(0, MAX_EVENT_NAME)}
  const {ref} = payload
  if (typeof ref !== 'string' || !ref.startsWith('refs/'))
    throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'A push has a "ref" such as "refs/heads/main".')
  return {pushedTo: ref}
}

function parsePayload(body: Buffer): JsonObject {
  let payload: unknown
  try {
    payload = JSON.parse(body.toString())
  } catch {
    throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'The body is not JSON.')
  }
  if (!isJsonObject(payload)) throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'The body is no JSON object.')
  return payload
}
