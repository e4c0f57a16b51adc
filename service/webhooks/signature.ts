import type {IncomingHttpHeaders} from 'node:http'
import {
  decodeSignatureHeader,
  encodeSignatureHeader,
  isSignatureError,
  SIGNATURE_HEADER_NAME,
} from '@sanity/webhook'
import {isSameSecret} from '../../common/secret.ts'
import {errors} from '../errors.ts'

/**
 * Maximum difference between a signature's timestamp and our clock, in either direction, in milliseconds.
 * Stripe's libraries, whose signature scheme Sanity uses, allow the same. A signature from the future would
 * otherwise stay valid for longer.
 */
const TOLERANCE = 300_000

/**
 * Rejects a delivery without a signature before its body arrives.
 * @throws WEBHOOK_UNSIGNED
 */
export function requireSignature(headers: IncomingHttpHeaders): void {
  if (headers[SIGNATURE_HEADER_NAME] === undefined)
    throw new errors.WEBHOOK_UNSIGNED(`${SIGNATURE_HEADER_NAME} is missing`)
}

/**
 * Rejects a delivery with a wrong or expired signature. The library's `isValidSignature` does not compare in
 * constant time and does not check the timestamp.
 * @param body as received: parsed and serialized JSON may differ.
 * @param now milliseconds since 1970.
 * @returns the signature, which is unique to the delivery.
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
  if (!isSameSecret(signature, expected)) throw new errors.WEBHOOK_SIGNATURE_WRONG()
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
