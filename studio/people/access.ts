import type {Right} from './roles.ts'

/** A browser in which somebody is signed in. Times are in ISO 8601. */
type Session = {id: string; since: string; lastUsed: string; browser: string}

/** The editor who uses Studio: `GET /access/me`. */
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
    isSet?: boolean
    /** Whether a new one can be set without the current one, because the session just began with a sign-in link. */
    mayReset?: boolean
  }
  sessions: readonly (Session & {isCurrent: boolean})[]
  /** Whom to ask for more rights. */
  administrators: readonly {name: string; email: string}[]
  /** Other people who may publish, on some site at least. */
  publishers: readonly {name: string; rights: readonly Right[]}[]
}

export type Token = {
  id: string
  name: string
  rights: readonly Right[]
  /** Whether the administrator who asks has all of these rights. */
  mayManage: boolean
}

export type Person = Token & {
  email: string
  /** Whether they were invited and have not signed in yet. */
  isInvited: boolean
  /** Whether an identity provider decides on roles and signing in. */
  usesSingleSignOn: boolean
  sessions: readonly Session[]
}

/** `GET /access/people` */
export type People = {editors: readonly Person[]; tokens: readonly Token[]}

export function byName(a: Token, b: Token): number {
  return a.name.localeCompare(b.name)
}
