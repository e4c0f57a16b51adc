import type {FastifyBaseLogger} from 'fastify'

/**
 * The content of an origin trial token. Its signature can only be checked by browsers, which have the key.
 * https://chromium.googlesource.com/chromium/src/+/main/third_party/blink/public/common/origin_trials/origin_trials_token_structure.md
 */
export type OriginTrial = {
  /** The origin of the page, or of the script for a third-party token. */
  origin: string
  feature: string
  expires: Date
  isThirdParty: boolean
}

/** The name of the trial that enables `document.modelContext`. */
const FEATURE = 'WebMCP'

/** Maximum length of a token, the same as in browsers. */
const MAX_LENGTH = 6_144

/** In seconds since 1970. Chromium reads 31 bits and rejects tokens with a larger value. */
const MAX_EXPIRY = 2 ** 31 - 1

/**
 * A token consists of a version, a signature, the length of the payload, and the payload: `{"origin": …}` in
 * UTF-8.
 */
const SIGNATURE_AT = 1
const LENGTH_AT = SIGNATURE_AT + 64
const PAYLOAD_AT = LENGTH_AT + 4
const KNOWN_VERSIONS = [2, 3]

/**
 * Describes what is wrong with the format of a token, in words that follow its name. `undefined` if it is
 * valid.
 */
export function tokenProblem(text: string): string | undefined {
  const token = bytesOf(text)
  if (!token || token.byteLength <= PAYLOAD_AT)
    return 'is not an origin trial token: those are one line of Base64.'
  const isWhole = token.readUInt32BE(LENGTH_AT) === token.byteLength - PAYLOAD_AT
  return isKnown(token) && !isWhole ? 'is an incomplete origin trial token.' : undefined
}

/** Parses a token. `undefined` if its version is unknown or a field is missing. */
export function readOriginTrial(text: string): OriginTrial | undefined {
  const token = bytesOf(text)
  if (!token || !isKnown(token)) return undefined
  const payload = parseJson(token.subarray(PAYLOAD_AT).toString())
  if (typeof payload !== 'object' || payload === null) return undefined
  if (!('origin' in payload && 'feature' in payload && 'expiry' in payload)) return undefined
  const {origin, feature, expiry} = payload
  if (typeof origin !== 'string' || typeof feature !== 'string' || typeof expiry !== 'number')
    return undefined
  if (!Number.isInteger(expiry) || Math.abs(expiry) > MAX_EXPIRY) return undefined
  return {
    origin,
    feature,
    expires: new Date(expiry * 1_000),
    isThirdParty: 'isThirdParty' in payload && payload.isThirdParty === true,
  }
}

/** Logs the origin and expiry of a token, or why browsers will not accept it. */
export function reportOriginTrial(text: string, now: Date, log: FastifyBaseLogger): void {
  const trial = readOriginTrial(text)
  if (!trial) {
    log.warn('cannot verify WEBMCP_ORIGIN_TRIAL_TOKEN; only a browser can tell whether it is valid')
    return
  }
  const {origin, feature, expires, isThirdParty} = trial
  const problems = [
    ...(feature === FEATURE ? [] : [`it is for the feature ${feature}, not for ${FEATURE}`]),
    ...(isThirdParty ? [] : ['it is not a third-party token, and valid on its own origin only']),
    ...(expires > now ? [] : ['it has expired']),
  ]
  const facts = {origin, feature, expires: expires.toISOString()}
  if (problems.length === 0)
    log.info(facts, 'read the origin trial token; pages must load the snippet from its origin')
  else
    log.warn(
      facts,
      `WEBMCP_ORIGIN_TRIAL_TOKEN does not enable WebMCP for visitors: ${problems.join(', and ')}`,
    )
}

function bytesOf(text: string): Buffer | undefined {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0 && text.length <= MAX_LENGTH
  return isBase64 ? Buffer.from(text, 'base64') : undefined
}

function isKnown(token: Buffer): boolean {
  return KNOWN_VERSIONS.includes(token.readUInt8(0))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
