import {isRecord, recordsIn} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {type Right, ROLES} from './roles.ts'

/** The editor who uses Studio. */
export type Me = ReturnType<typeof parseMe>

export type Person = ReturnType<typeof parsePerson>

export type Token = ReturnType<typeof parseToken>

/** A browser in which somebody is signed in. Times are in ISO 8601. */
export type Session = ReturnType<typeof parseSession>

export type AuditPage = ReturnType<typeof parseAuditPage>

export function parseMe(value: unknown) {
  const me = recordOf(value)
  const password = recordOf(me.password)
  return {
    id: textOf(me.id),
    email: textOf(me.email),
    rights: parseRights(me.rights),
    /** The rights in words: "author of Harbour Supply". */
    rightsText: textOf(me.rightsText),
    mayAdminister: me.mayAdminister === true,
    mayAudit: me.mayAudit === true,
    password: {
      /** Whether this person can sign in with a password at all. */
      isOffered: password.isOffered === true,
      isSet: password.isSet === true,
      /** Whether a new one can be set without the current one, because the session just began with a sign-in link. */
      mayReset: password.mayReset === true,
    },
    sessions: recordsIn(me.sessions).map(parseSession),
    /** Whom to ask for more rights. */
    administrators: recordsIn(me.administrators).map(({name, email}) => ({
      name: textOf(name),
      email: textOf(email),
    })),
    /** Other people who may publish, on some site at least. */
    publishers: recordsIn(me.publishers).map(({name, rights}) => ({
      name: textOf(name),
      rights: parseRights(rights),
    })),
  }
}

export function parsePeople(value: unknown) {
  const {editors, tokens} = recordOf(value)
  return {
    editors: recordsIn(editors).map(parsePerson).sort(byName),
    tokens: recordsIn(tokens).map(parseToken).sort(byName),
  }
}

function byName(a: {name: string}, b: {name: string}): number {
  return a.name.localeCompare(b.name)
}

export function parseAuditPage(value: unknown) {
  const {events, next} = recordOf(value)
  return {
    events: recordsIn(events).map(({id, at, text, client}) => ({
      id: textOf(id),
      at: textOf(at),
      text: textOf(text),
      client: textOf(client),
    })),
    next: typeof next === 'string' ? next : undefined,
  }
}

function parsePerson(one: Record<string, unknown>) {
  return {
    ...parseToken(one),
    email: textOf(one.email),
    /** Whether they were invited and have not signed in yet. */
    isInvited: one.isInvited === true,
    /** Whether an identity provider decides on roles and signing in. */
    usesSingleSignOn: one.usesSingleSignOn === true,
    sessions: recordsIn(one.sessions).map(parseSession),
  }
}

function parseToken(one: Record<string, unknown>) {
  return {
    id: textOf(one.id),
    name: textOf(one.name),
    rights: parseRights(one.rights),
    /** Whether the administrator who asks has all of these rights. */
    mayManage: one.mayManage === true,
  }
}

function parseSession(one: Record<string, unknown>) {
  return {
    id: textOf(one.id),
    since: textOf(one.since),
    lastUsed: textOf(one.lastUsed),
    browser: textOf(one.browser),
    isCurrent: one.isCurrent === true,
  }
}

function parseRights(value: unknown): readonly Right[] {
  return recordsIn(value).map(({role, sites}) => {
    const known = ROLES.find((one) => one === role) ?? 'viewer'
    return {role: known, sites: Array.isArray(sites) ? sites.map(String) : 'all'}
  })
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
