import {type KeyObject, sign} from 'node:crypto'

/**
 * An origin trial token with these claims.
 * @param key signs it with Ed25519. Without a key the signature is invalid: only browsers check it.
 */
export function trialToken(claims: Record<string, unknown>, version = 3, key?: KeyObject): string {
  const payload = Buffer.from(
    JSON.stringify({
      origin: 'https://tools.example:443',
      feature: 'WebMCP',
      expiry: Date.parse('2038-01-01') / 1_000,
      isThirdParty: true,
      ...claims,
    }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.byteLength)
  const signed = Buffer.concat([Buffer.of(version), length, payload])
  const signature = key ? sign(null, signed, key) : Buffer.alloc(64, 7)
  return Buffer.concat([Buffer.of(version), signature, length, payload]).toString('base64')
}
