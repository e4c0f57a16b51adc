import {STATUS_CODES} from 'node:http'
import {HttpError} from '../errors.ts'

/**
 * Every error response to a webhook delivery: its status, and the message that the sender's delivery log
 * shows to the person who configured it. docs/errors.md mirrors this list, and a test compares the two.
 */
export const REFUSALS = {
  WEBHOOK_OFF: [404, 'This lake accepts no webhooks: GIT_WEBHOOK_SECRET is not set.'],
  WEBHOOK_UNSIGNED: [
    401,
    'The delivery is not signed: use GIT_WEBHOOK_SECRET as the secret of the webhook. The request needs X-Hub-Signature-256, webhook-signature or X-Gitlab-Token.',
  ],
  WEBHOOK_SIGNATURE_WRONG: [401, 'The signature does not match GIT_WEBHOOK_SECRET.'],
  WEBHOOK_EXPIRED: [
    401,
    'The delivery was signed more than five minutes ago, or the clock of the sender is ahead.',
  ],
  WEBHOOK_NOT_UNDERSTOOD: [400, 'The delivery is malformed.'],
  WEBHOOK_MEDIA_TYPE: [415, 'Set the content type of the webhook to application/json.'],
  WEBHOOK_NO_REMOTE: [409, 'GIT_REMOTE is not set: there is no remote to pull from.'],
  WEBHOOK_RATE_LIMITED: [429, 'Too many deliveries from one address.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

/** The error code in the body of the response. */
type RefusalCode = keyof typeof REFUSALS

/** @param detail what is wrong with this delivery */
export function refusal(errorCode: RefusalCode, detail?: string): HttpError {
  const [statusCode, general] = REFUSALS[errorCode]
  const message = detail === undefined ? general : `${general} ${detail}`
  return new HttpError(statusCode, message, {
    statusCode,
    error: STATUS_CODES[statusCode],
    errorCode,
    message,
  })
}
