import {isRecord, jsonIn} from '../schemas/record.ts'
import {scalarText} from '../schemas/rules/text.ts'

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

const DAY = 86_400_000

/** How many days before its end a token is reported: enough to get another one. */
const REPORTED_DAYS = 30

/** What a token says of itself. */
export type TrialToken = NonNullable<ReturnType<typeof readTrialToken>>

/**
 * The state of the token of a service:
 * - `none`: it has no token.
 * - `valid`, `ending`: browsers accept it; within 30 days they no longer do.
 * - `ended`: the token was valid until `ends`.
 * - `unusable`: browsers never accept it.
 */
export type TrialState =
  | {readonly state: 'none'}
  | {readonly state: 'valid' | 'ending'; readonly ends: Date; readonly daysLeft: number}
  | {readonly state: 'ended'; readonly ends: Date}
  | {readonly state: 'unusable'; readonly mistakes: readonly string[]}

/**
 * Describes what is wrong with the format of a token, in words that follow its name. `undefined` if it is
 * valid.
 */
export function tokenProblem(text: string): string | undefined {
  const bytes = bytesOf(text)
  if (bytes === undefined) return 'is not an origin trial token: those are one line of Base64.'
  const isWhole = new DataView(bytes.buffer).getUint32(LENGTH_AT) === bytes.byteLength - PAYLOAD_AT
  const isKnown = KNOWN_VERSIONS.includes(bytes[0] ?? 0)
  return isKnown && !isWhole ? 'is an incomplete origin trial token.' : undefined
}

/** Reads a token. `undefined` if it has another format than those that are known: only a browser can read it. */
export function readTrialToken(text: string) {
  const payload = payloadOf(text)
  if (payload === undefined) return undefined
  const {origin, feature, isThirdParty, isSubdomain, expiry} = payload
  const ends = new Date(typeof expiry === 'number' ? expiry * 1_000 : Number.NaN)
  if (typeof origin !== 'string' || Number.isNaN(ends.getTime())) return undefined
  return {
    /** Pages must load the snippet from it. */
    origin,
    includesSubdomains: isSubdomain === true,
    feature: scalarText(feature),
    ends,
    /** Why browsers do not accept it before or after its end, in words that follow "it". */
    mistakes: [
      ...(feature === FEATURE ? [] : [`is for the feature ${scalarText(feature)}, not for ${FEATURE}`]),
      ...(isThirdParty === true ? [] : ['is not a third-party token, and valid on its own origin only']),
    ],
  }
}

/**
 * Decides the state of a token.
 * @param text undefined: there is none.
 * @param now milliseconds since 1970
 */
export function trialState(text: string | undefined, now: number): TrialState {
  if (text === undefined) return {state: 'none'}
  const token = readTrialToken(text)
  if (token === undefined) return {state: 'unusable', mistakes: ['cannot be read']}
  const {ends, mistakes} = token
  if (mistakes.length > 0) return {state: 'unusable', mistakes}
  const left = ends.getTime() - now
  if (left <= 0) return {state: 'ended', ends}
  const daysLeft = Math.ceil(left / DAY)
  return {state: left <= REPORTED_DAYS * DAY ? 'ending' : 'valid', ends, daysLeft}
}

/** Finds the token in the text of a snippet. */
export function tokenInSnippet(snippet: string): string | undefined {
  if (!snippet.includes('origin-trial')) return undefined
  const texts = Array.from(snippet.matchAll(/["'`]([A-Za-z0-9+/]{92,}={0,2})["'`]/g), ([, text]) => text)
  return texts.find((text) => text !== undefined && tokenProblem(text) === undefined)
}

/** The bytes of a text that can be a token. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0 || text.length > MAX_LENGTH)
    return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return bytes.byteLength > PAYLOAD_AT ? bytes : undefined
}

function payloadOf(text: string): Record<string, unknown> | undefined {
  const bytes = bytesOf(text)
  const payload = bytes && jsonIn(new TextDecoder().decode(bytes.subarray(PAYLOAD_AT)))
  return isRecord(payload) ? payload : undefined
}
