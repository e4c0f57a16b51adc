import {hash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual} from 'node:crypto'

/** OWASP's second choice for scrypt: 64 MiB and some 0.1 s for each attempt. */
const cost: ScryptOptions = {N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20}
const keyBytes = 32

/** A secret that nobody can guess: a session, a token, a code in a link. 256 bits, safe in URLs and cookies. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of such a secret. It has entropy enough to need no salt. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Whether two texts are the same. Takes as long for any other text, of whatever length. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}

/** What is kept of a password: parameters, salt and scrypt's key. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether a password is the one that was hashed. Takes as long for a wrong one; false for a damaged hash. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [scheme, n, r, p, salt = '', key = ''] = kept.split('$')
  const expected = Buffer.from(key, 'base64url')
  if (scheme !== 'scrypt' || expected.length !== keyBytes) return false
  const options = {...cost, N: Number(n), r: Number(r), p: Number(p)}
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), options), expected)
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // NFKC: the same password typed on two keyboards is the same text.
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
