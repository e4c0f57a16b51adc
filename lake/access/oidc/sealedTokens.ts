import {createCipheriv, createDecipheriv, hkdfSync, randomBytes} from 'node:crypto'
import {isJsonObject} from '../../../common/json.ts'
import type {Tokens} from './provider.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The key that protects the tokens of a session, from the secret in its cookie. */
export function tokenKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'handrail tokens of a session', 32))
}

/**
 * Encrypts the tokens of a session for their row. The key is not in the database: who reads it, or a
 * backup of it, learns no token.
 */
export function sealTokens(tokens: Tokens, key: Buffer): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts what {@link sealTokens} made. Returns undefined if it is damaged. */
export function openTokens(text: string, key: Buffer): Tokens | undefined {
  const bytes = Buffer.from(text, 'base64url')
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return parseTokens(JSON.parse(opened.toString()))
  } catch {
    return undefined
  }
}

function parseTokens(value: unknown): Tokens | undefined {
  if (!isJsonObject(value)) return undefined
  const {accessToken, refreshToken, idClaims} = value
  if (typeof accessToken !== 'string' || !isJsonObject(idClaims)) return undefined
  if (refreshToken !== undefined && typeof refreshToken !== 'string') return undefined
  return {accessToken, refreshToken, idClaims}
}
