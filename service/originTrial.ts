import type {FastifyBaseLogger} from 'fastify'

/** The name of the trial that enables `document.modelContext`. */
const FEATURE = 'WebMCP'

/** Maximum length of a token, the same as in browsers. */
const MAX_LENGTH = 6_144

/**
 * A token consists of a version, a signature that only browsers can check, the length of the payload, and the
 * payload: `{"origin": …}` in UTF-8.
 * https://chromium.googlesource.com/chromium/src/+/main/third_party/blink/public/common/origin_trials/origin_trials_token_structure.md
 */
const LENGTH_AT = 65
const PAYLOAD_AT = LENGTH_AT + 4
const KNOWN_VERSIONS = [2, 3]

/**
 * Describes what is wrong with the format of a token, in words that follow its name. `undefined` if it is
 * valid.
 */
export function tokenProblem(text: string): string | undefined {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0 && text.length <= MAX_LENGTH
  const token = Buffer.from(text, 'base64')
  if (!isBase64 || token.byteLength <= PAYLOAD_AT)
    return 'is not an origin trial token: those are one line of Base64.'
  const isWhole = token.readUInt32BE(LENGTH_AT) === token.byteLength - PAYLOAD_AT
  const isKnown = KNOWN_VERSIONS.includes(token.readUInt8(0))
  return isKnown && !isWhole ? 'is an incomplete origin trial token.' : undefined
}

/** Logs the origin and expiry of a token, or why browsers will not accept it. */
export function reportOriginTrial(text: string, now: Date, log: FastifyBaseLogger): void {
  const token = Buffer.from(text, 'base64')
  try {
    const payload: Record<string, unknown> = JSON.parse(token.subarray(PAYLOAD_AT).toString())
    const {origin, feature, isThirdParty} = payload
    const expires = new Date(Number(payload.expiry) * 1_000)
    const problems = [
      ...(feature === FEATURE ? [] : [`it is for the feature ${feature}, not for ${FEATURE}`]),
      ...(isThirdParty === true ? [] : ['it is not a third-party token, and valid on its own origin only']),
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
  } catch {
    log.warn('cannot verify WEBMCP_ORIGIN_TRIAL_TOKEN; only a browser can tell whether it is valid')
  }
}
