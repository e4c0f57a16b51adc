import {isRecord, jsonIn} from '../../record.ts'
import {wordsOf} from './toolName.ts'

/** What a value is by its name. `unsure`: a key, or something of the same name, such as a session of a conference. */
export type SecretKind = 'password' | 'code' | 'card' | 'key' | 'unsure'

/** Anywhere in a name. What has several words is also written as one: `api_key`, `apiKey` and `apikey`. */
const ANYWHERE = kinds({
  password: `password passwords passwd passwort passphrase passcode pwd psw pswd userpass userpwd loginpass dbpass
    newpass oldpass currentpass confirmpass repeatpass kennwort motdepasse contrasena wachtwoord`,
  code: `otp totp onetimecode onetimepassword verificationcode mfacode smscode authcode logincode signincode
    twofactorcode authenticatorcode recoverycode backupcode pincode`,
  card: `cvv cvc cvn iban cardnumber cardno cardnr cardnum ccnumber ccnum cccsc ccexp creditcard debitcard bankcard
    cardcode securitycode`,
  key: `jwt bearer nonce wpnonce csrf xsrf csrftoken xsrftoken csrfmiddlewaretoken hmac credentials authorization apikey
    accesskey authkey privatekey secretkey sessionkey subscriptionkey signingkey encryptionkey formkey appkey clientkey
    userkey accesstoken authtoken idtoken refreshtoken sessiontoken logintoken sessid phpsessid jsessionid cftoken amzcredential sid`,
})

/** Only as the last word of a part of a name: a “secretSanta” is none. */
const LAST = kinds({password: 'secret', code: 'pin', key: 'token signature sig'})

/** Only as a whole part of a name. */
const WHOLE = kinds({password: 'pass', card: 'card', unsure: 'session sessionid key hash auth'})

/** Classic ASP adds letters to the name of its cookie, such as `ASPSESSIONIDQQACRTTB`. */
const ASP_SESSION = /(?:^|[^a-z])aspsessionid/i

/** Names that end so are about a secret: `passwordHint`, `token_type`. */
const ABOUT: ReadonlySet<string> = new Set(
  `label selector field input placeholder type kind name title message hint length count min max error url path page form
   button text help policy rule regex pattern visible required enabled expires expiry`.split(/\s+/),
)

/** A token that says where a list goes on. */
const PLACE_IN_LIST = /^(?:page|next|previous|prev|continuation|cursor|sync|resume|pagination)$/

function kinds(names: Partial<Record<SecretKind, string>>): ReadonlyMap<string, SecretKind> {
  const all: readonly SecretKind[] = ['password', 'code', 'card', 'key', 'unsure']
  return new Map(
    all.flatMap((kind) =>
      (names[kind]?.split(/\s+/) ?? []).map((name): [string, SecretKind] => [name, kind]),
    ),
  )
}

/**
 * What the name of a parameter, a field or a variable says about its value; undefined: it is not a secret.
 * @param name in any spelling, such as `user[newPassword]`, `X-Api-Key` or `__RequestVerificationToken`
 */
export function secretKindOf(name: string): SecretKind | undefined {
  const parts = name
    .split(/[.[\]]+/)
    .map((part) => wordsOf(part.normalize('NFKD').replace(/\p{M}/gu, '')).map(plain))
    .map((words) => words.filter((word) => word !== ''))
    .filter((words) => words.length > 0)
  if (ASP_SESSION.test(name)) return 'key'
  const words = parts.flat()
  if (ABOUT.has(words.at(-1) ?? '')) return undefined
  for (const [at, first] of words.entries()) {
    const [second = '', third = ''] = words.slice(at + 1)
    for (const joined of [first, first + second, first + second + third]) {
      const kind = ANYWHERE.get(joined)
      if (kind !== undefined) return kind
    }
  }
  for (const part of parts) {
    const [last = ''] = part.slice(-1)
    const isPlace = last === 'token' && PLACE_IN_LIST.test(part.at(-2) ?? '')
    const kind = (isPlace ? undefined : LAST.get(last)) ?? WHOLE.get(part.slice(-2).join(''))
    if (kind !== undefined) return kind
  }
  return undefined
}

/** `password2`, `CVV2` and `pass1` are what they are without the number. */
function plain(word: string): string {
  return word.toLowerCase().replace(/\d+$/, '')
}

/** Names of values that look random, and that agents pass on. */
const ID = /^(?:ids?|uuid|guid|gid|sku|cursor|token|after|before)$/i

/** Characters that a value has at least, to be taken for a random one. */
const SHORTEST_RANDOM = 20

const JWT = /^eyJ[\w-]+\.[\w-]/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const ENCODED = /^[\w+/-]+={0,2}$/

/**
 * Whether a text looks as if a computer had drawn its letters, as those of keys and sessions: letters and digits change
 * all the time, which they do in no words and dates.
 */
export function looksRandom(text: string, shortest = SHORTEST_RANDOM): boolean {
  if (JWT.test(text) || UUID.test(text)) return true
  if (text.length < shortest || text.length > 10_000 || !ENCODED.test(text)) return false
  const changes = text.match(/\p{Ll}(?=[\p{Lu}\d])|\p{Lu}(?=\d)|\d(?=\p{L})/gu) ?? []
  return changes.length >= text.length / 4
}

/** The digits of a card, with spaces or without: https://en.wikipedia.org/wiki/Luhn_algorithm */
function isCardNumber(text: string): boolean {
  if (!/^(?:\d[ -]?){15,19}$/.test(text)) return false
  const digits = [...text.replace(/\D/g, '')].toReversed().map(Number)
  const doubled = digits.map((digit, at) => (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2))
  return doubled.reduce((sum, digit) => sum + digit, 0) % 10 === 0
}

/** Whether a value must not be in a tool, which every visitor can read. Looks into lists, groups, JSON and queries in a text. */
export function isSecret(name: string, value: unknown): boolean {
  const kind = secretKindOf(name)
  if (kind === 'unsure' ? !/^\d{1,6}$/.test(String(value)) : kind !== undefined) return true
  if (Array.isArray(value)) return value.some((entry) => isSecret(name, entry))
  if (isRecord(value)) return Object.entries(value).some(([member, inner]) => isSecret(member, inner))
  if (typeof value !== 'string') return typeof value === 'number' && isCardNumber(String(value))
  const json = /^\s*[[{]/.test(value) ? jsonIn(value) : undefined
  if (json !== undefined) return isSecret(name, json)
  if (isCardNumber(value) || JWT.test(value)) return true
  if (looksRandom(value) && !ID.test(wordsOf(name).at(-1) ?? '')) return true
  const query = new URLSearchParams(value.slice(value.indexOf('?') + 1))
  return [...query].some(([key, one]) => one !== '' && (secretKindOf(key) ?? 'unsure') !== 'unsure')
}
