import {timingSafeEqual} from 'node:crypto'
import type {IncomingHttpHeaders} from 'node:http'
import {
  decodeSignatureHeader,
  encodeSignatureHeader,
  isSignatureError,
  SIGNATURE_HEADER_NAME,
} from '@sanity/webhook'
import {errors} from '../errors.ts'

/**
 * Milliseconds by which the time of a signature may be off, to either side: what Stripe's libraries allow, whose way of
 * signing Sanity's is. Clocks differ, and a signature from the future would be good for longer than one from now.
 */
const TOLERANCE = 300_000

/**
 * Refuses a delivery without a signature before its body arrives.
 * @throws WEBHOOK_UNSIGNED
 */
export function requireSignature(headers: IncomingHttpHeaders): void {
  if (headers[SIGNATURE_HEADER_NAME] === undefined)
    throw new errors.WEBHOOK_UNSIGNED(`${SIGNATURE_HEADER_NAME} is missing`)
}

/**
 * Refuses a delivery that is not signed with the secret, or not now.
 * `isValidSignature` of the library compares with `!==`, and looks at no clock.
 * @param body as it was received: JSON that is written again is another text.
 * @param now milliseconds since 1970.
 * @returns the signature. No other delivery has the same.
 * @throws WEBHOOK_UNSIGNED, WEBHOOK_SIGNATURE_WRONG, WEBHOOK_EXPIRED
 */
export async function verifySignature(
  header: string | undefined,
  body: string,
  secret: string,
  now: number,
): Promise<string> {
  if (header === undefined) throw new errors.WEBHOOK_UNSIGNED(`${SIGNATURE_HEADER_NAME} is missing`)
  const {signature, expected, timestamp} = await decode(header, body, secret)
  if (!isSame(signature, expected)) throw new errors.WEBHOOK_SIGNATURE_WRONG()
  if (Math.abs(now - timestamp) > TOLERANCE) throw new errors.WEBHOOK_EXPIRED()
  return signature
}

async function decode(header: string, body: string, secret: string) {
  try {
    const {timestamp, hashedPayload: signature} = decodeSignatureHeader(header)
    const expected = decodeSignatureHeader(await encodeSignatureHeader(body, timestamp, secret)).hashedPayload
    return {timestamp, signature, expected}
  } catch (error) {
    if (isSignatureError(error)) throw new errors.WEBHOOK_UNSIGNED(error.message)
    throw error
  }
}

/** Takes as long for any text of the same length: what a wrong signature shares with the right one stays unknown. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
