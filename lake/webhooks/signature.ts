import {createHmac} from 'node:crypto'
import type {IncomingHttpHeaders} from 'node:http'
import {isSameSecret} from '../../common/secret.ts'
import {refusal} from './refusals.ts'

/** Tolerance of a signed timestamp in seconds, as https://www.standardwebhooks.com recommends. */
const TOLERANCE = 300

/** The prefix of GitLab's signing tokens; the rest is the key in base64. */
const STANDARD_PREFIX = 'whsec_'

/** Whether a delivery claims to be signed. The headers show it before the body arrives. */
export function isSigned(headers: IncomingHttpHeaders): boolean {
  return ['webhook-signature', 'x-hub-signature-256', 'x-gitlab-token'].some((name) => name in headers)
}

/**
 * Rejects a delivery unless it proves that the sender knows one of the secrets. If it carries several proofs, the
 * strongest one counts.
 * @param body as received: serializing the parsed JSON again would give other bytes
 * @param now milliseconds since 1970
 * @throws HttpError 401
 */
export function requireSignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: number,
): void {
  if (!secrets.some((secret) => isSignedBy(headers, body, secret))) throw refusal('WEBHOOK_SIGNATURE_WRONG')
  if (typeof headers['webhook-signature'] !== 'string') return
  if (!(Math.abs(now / 1_000 - Number(headers['webhook-timestamp'])) <= TOLERANCE))
    throw refusal('WEBHOOK_EXPIRED')
}

function isSignedBy(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const standard = headers['webhook-signature']
  if (typeof standard === 'string') return isStandardSignature(headers, standard, body, secret)
  const gitHub = headers['x-hub-signature-256']
  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries; Gitea and Forgejo
  // send it too.
  if (typeof gitHub === 'string')
    return isSameSecret(gitHub, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const gitLab = headers['x-gitlab-token']
  if (typeof gitLab !== 'string') throw refusal('WEBHOOK_UNSIGNED')
  return isSameSecret(gitLab, secret)
}

/**
 * GitLab's signing token, by
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
function isStandardSignature(
  headers: IncomingHttpHeaders,
  signatures: string,
  body: Buffer,
  secret: string,
): boolean {
  const {'webhook-id': id, 'webhook-timestamp': timestamp} = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string')
    throw refusal('WEBHOOK_UNSIGNED', 'webhook-signature needs the headers webhook-id and webhook-timestamp.')
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(secret)
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  // There are several signatures while a key is being rotated.
  return signatures.split(' ').some((signature) => isSameSecret(signature, `v1,${digest}`))
}
