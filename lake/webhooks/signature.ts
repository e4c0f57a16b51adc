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
 * @param secrets the current one, and the one from before
 * @param now milliseconds since 1970
 * @throws HttpError 401
 */
export function requireSignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  [secret, previous]: readonly [string, string | undefined],
  now: number,
): void {
  try {
    requireSignatureBy(headers, body, secret, now)
  } catch (error) {
    if (previous === undefined || !isSignedBy(previous)) throw error
  }

  function isSignedBy(other: string): boolean {
    try {
      requireSignatureBy(headers, body, other, now)
      return true
    } catch {
      return false
    }
  }
}

function requireSignatureBy(headers: IncomingHttpHeaders, body: Buffer, secret: string, now: number): void {
  const standard = headers['webhook-signature']
  if (typeof standard === 'string') {
    requireStandardSignature(headers, standard, body, secret, now)
    return
  }
  const gitHub = headers['x-hub-signature-256']
  if (typeof gitHub === 'string') {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries; Gitea and Forgejo
    // send it too.
    const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    if (!isSameSecret(gitHub, expected)) throw refusal('WEBHOOK_SIGNATURE_WRONG')
    return
  }
  const gitLab = headers['x-gitlab-token']
  if (typeof gitLab !== 'string') throw refusal('WEBHOOK_UNSIGNED')
  if (!isSameSecret(gitLab, secret)) throw refusal('WEBHOOK_SIGNATURE_WRONG')
}

/**
 * GitLab's signing token, by
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
function requireStandardSignature(
  headers: IncomingHttpHeaders,
  signatures: string,
  body: Buffer,
  secret: string,
  now: number,
): void {
  const {'webhook-id': id, 'webhook-timestamp': timestamp} = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string')
    throw refusal('WEBHOOK_UNSIGNED', 'webhook-signature needs the headers webhook-id and webhook-timestamp.')
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(secret)
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  // There are several signatures while a key is being rotated.
  if (!signatures.split(' ').some((signature) => isSameSecret(signature, `v1,${digest}`)))
    throw refusal('WEBHOOK_SIGNATURE_WRONG')
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE)) throw refusal('WEBHOOK_EXPIRED')
}
