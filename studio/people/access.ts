import {isRecord, recordsIn} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {type Right, ROLES} from './roles.ts'

/** A browser in which somebody is signed in. Times are in ISO 8601. */
export type Session = {id: string; since: string; lastUsed: string; browser: string; isCurrent: boolean}

/** The editor who uses Studio. */
export type Me = {
  id: string
  email: string
  rights: readonly Right[]
  /** The rights in words: "author of Harbour Supply". */
  rightsText: string
  mayAdminister: boolean
  mayAudit: boolean
  password: {
    /** Whether this person can sign in with a password at all. */
    isOffered: boolean
    isSet: boolean
    /** Whether a new one can be set without the current one, because the session just began with a sign-in link. */
    mayReset: boolean
  }
  sessions: readonly Session[]
  /** Whom to ask for more rights. */
  administrators: readonly {name: string; email: string}[]
  /** Other people who may publish, on some site at least. */
  publishers: readonly {name: string; rights: readonly Right[]}[]
}

export type Person = {
  id: string
  name: string
  email: string
  rights: readonly Right[]
  /** Whether the administrator who asks has all of these rights. */
  mayManage: boolean
  /** Whether they were invited and have not signed in yet. */
  isInvited: boolean
  /** Whether an identity provider decides on roles and signing in. */
  usesSingleSignOn: boolean
  sessions: readonly Session[]
}

export type Token = {id: string; name: string; rights: readonly Right[]; mayManage: boolean}

type People = {editors: readonly Person[]; tokens: readonly Token[]}

export type AuditPage = {events: readonly AuditEvent[]; next: string | undefined}

type AuditEvent = {id: string; at: string; type: string; text: string; client: string}

export function parseMe(value: unknown): Me {
  const me = recordOf(value)
  const password = recordOf(me.password)
  return {
    id: textOf(me.id),
    email: textOf(me.email),
    rights: parseRights(me.rights),
    rightsText: textOf(me.rightsText),
    mayAdminister: me.mayAdminister === true,
    mayAudit: me.mayAudit === true,
    password: {
      isOffered: password.isOffered === true,
      isSet: password.isSet === true,
      mayReset: password.mayReset === true,
    },
    sessions: recordsIn(me.sessions).map(parseSession),
    administrators: recordsIn(me.administrators).map((one) => ({
      name: textOf(one.name),
      email: textOf(one.email),
    })),
    publishers: recordsIn(me.publishers).map((one) => ({
      name: textOf(one.name),
      rights: parseRights(one.rights),
    })),
  }
}

export function parsePeople(value: unknown): People {
  const {editors, tokens} = recordOf(value)
  return {
    editors: recordsIn(editors)
      .map((one) => ({
        ...parseToken(one),
        email: textOf(one.email),
        isInvited: one.isInvited === true,
        usesSingleSignOn: one.usesSingleSignOn === true,
        sessions: recordsIn(one.sessions).map(parseSession),
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    tokens: recordsIn(tokens)
      .map(parseToken)
      .sort((a, b) => a.name.localeCompare(b.name)),
  }
}

export function parseAuditPage(value: unknown): AuditPage {
  const {events, next} = recordOf(value)
  return {
    events: recordsIn(events).map((one) => ({
      id: textOf(one.id),
      at: textOf(one.at),
      type: textOf(one.type),
      text: textOf(one.text),
      client: textOf(one.client),
    })),
    next: typeof next === 'string' ? next : undefined,
  }
}

function parseToken(one: Record<string, unknown>): Token {
  return {
    id: textOf(one.id),
    name: textOf(one.name),
    rights: parseRights(one.rights),
    mayManage: one.mayManage === true,
  }
}

function parseSession(one: Record<string, unknown>): Session {
  return {
    id: textOf(one.id),
    since: textOf(one.since),
    lastUsed: textOf(one.lastUsed),
    browser: textOf(one.browser),
    isCurrent: one.isCurrent === true,
  }
}

function parseRights(value: unknown): Right[] {
  return recordsIn(value).map(({role, sites}) => {
    const known = ROLES.find((one) => one === role) ?? 'viewer'
    return {role: known, sites: Array.isArray(sites) ? sites.map(String) : 'all'}
  })
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
