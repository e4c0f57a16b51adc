import {hash, randomBytes, scrypt, timingSafeEqual} from 'node:crypto'

/** The parameters of scrypt. https://www.rfc-editor.org/rfc/rfc7914#section-2 */
export type ScryptCost = {readonly N: number; readonly r: number; readonly p: number}

/**
 * 64 MiB and about 0.2 s.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt
 */
export const SCRYPT_COST: ScryptCost = {N: 2 ** 16, r: 8, p: 2}
/** The most memory that scrypt may take: twice what the parameters need. */
const MAX_MEMORY = 128 * 2 ** 20
const KEY_BYTES = 32
const SALT_BYTES = 16

type Kept = {readonly cost: ScryptCost; readonly salt: Buffer; readonly key: Buffer}

/** The digest of a secret that {@link newSecret} made, which is all that is stored. A random secret needs no salt. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Hashes a password. The parameters are stored with the hash, so that they can be raised later. */
export async function hashPassword(password: string, cost: ScryptCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return format({cost, salt, key: await derive(password, salt, cost)})
}

/** A hash that no password matches. Comparing with it takes as long as with a real one. */
export function unusableHash(cost: ScryptCost): string {
  return format({cost, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES)})
}

/** Whether a password matches a hash. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const {cost, salt, key} = parse(hash)
  return timingSafeEqual(await derive(password, salt, cost), key)
}

function format({cost: {N, r, p}, salt, key}: Kept): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function parse(hash: string): Kept {
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  return {
    cost: {N: Number(N), r: Number(r), p: Number(p)},
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  }
}

function derive(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // NFKC: the same password typed on two keyboards becomes the same text.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, {...cost, maxmem: MAX_MEMORY}, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/** Minimum length of a password. NIST SP 800-63B recommends length instead of composition rules. */
const MIN_PASSWORD_LENGTH = 10

/** Maximum length: hashing a text takes longer than its length suggests. */
const MAX_PASSWORD_LENGTH = 1_000

/** What is wrong with a new password, as one sentence; undefined if it can be used. */
export function passwordProblem(
  password: string,
  {name, email}: {readonly name: string; readonly email: string},
): string | undefined {
  const {length} = Array.from(password)
  if (length < MIN_PASSWORD_LENGTH) return `A password needs at least ${MIN_PASSWORD_LENGTH} characters`
  if (length > MAX_PASSWORD_LENGTH) return `A password can have at most ${MAX_PASSWORD_LENGTH} characters`
  const typed = password.trim().toLowerCase()
  if (new Set(typed).size < 3 || [name, email].some((known) => known.toLowerCase() === typed))
    return 'This password is easy to guess: choose another one, such as four words that do not belong together'
  return undefined
}
