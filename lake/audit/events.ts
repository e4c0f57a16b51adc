/** A person or a program, as the audit log names it. */
export type Actor = {readonly id: string; readonly name: string; readonly email: string}

/** A principal, without what the log need not have. */
export function actorOf({id, name, email}: Actor): Actor {
  return {id, name, email}
}

export type SignInMethod = 'password' | 'link' | 'oidc'

const METHODS = {password: 'a password', link: 'a sign-in link', oidc: 'single sign-on', token: 'a token'}

type By = {readonly by: Actor}

/** The address of the client, as limits count it. */
type ByClient = {readonly client: string}

type Person = By & {readonly about: Actor}

/** In words, as `describeRights` writes them. */
type WithRights = {readonly rights: string}

/** A token, without its secret. */
type Token = By & {readonly about: {readonly id: string; readonly name: string}}

/** A document, with the revision that was reviewed or published. */
type AuditedDocument = {readonly id: string; readonly name?: string; readonly revision?: string}

type Documents = By & {readonly documents: readonly AuditedDocument[]; readonly reason?: string}

/** Releases, and the time that they were scheduled for. */
type Releases = Documents & {readonly publishAt?: string}

type FailedSignIn = ByClient & {
  /** The account, if the attempt named one that exists. */
  readonly about?: Actor | undefined
  readonly method: SignInMethod | 'token'
  /** More about an attempt at a sign-in provider. Never what the client sent. */
  readonly reason?: string
}

/**
 * What the audit log records, as a sentence for people who read the log in Studio, or its lines. The part of a type before the dot is
 * the kind by which Studio filters. No event has a field for a secret: no password, no token, no code of a link, and no e-mail address
 * that somebody typed and that belongs to no account, because people type passwords into the wrong field.
 */
const SENTENCES = {
  'signIn.succeeded': ({by, method}: By & ByClient & {readonly method: SignInMethod}) =>
    `${by.name} signed in with ${METHODS[method]}`,
  'signIn.ended': ({by}: By & ByClient) => `${by.name} signed out`,
  'signIn.failed': ({about, method, reason}: FailedSignIn) =>
    `Failed sign-in${about ? ` as ${fullName(about)}` : ''} with ${METHODS[method]}${reason ? `: ${reason}` : ''}`,
  /** Failed attempts that have no lines of their own, because there were too many. */
  'signIn.omitted': ({count}: {readonly count: number}) =>
    `${count} further failed sign-ins, which are not listed`,
  'people.added': ({by, about, rights}: Person & WithRights) =>
    `${by.name} added ${fullName(about)} as ${rights}`,
  /** With a sign-in link. */
  'people.invited': ({by, about, rights}: Person & WithRights) =>
    `${by.name} invited ${fullName(about)} as ${rights}`,
  'people.removed': ({by, about}: Person) => `${by.name} removed ${fullName(about)}`,
  'people.rightsChanged': ({by, about, before, rights}: Person & WithRights & {readonly before: string}) =>
    `${by.name} changed the rights of ${fullName(about)} from “${before}” to “${rights}”`,
  'people.linkMade': ({by, about}: Person) => `${by.name} made a sign-in link for ${fullName(about)}`,
  'people.passwordChanged': ({by, about}: Person) =>
    `${by.name} changed ${by.id === about.id ? 'their password' : `the password of ${fullName(about)}`}`,
  /** Such as their own on another device. */
  'people.sessionsEnded': ({by, about, count}: Person & {readonly count: number}) =>
    `${by.name} ended ${count === 1 ? 'a session' : `${count} sessions`} of ${fullName(about)}`,
  'people.signedOut': ({by, about}: Person) => `${by.name} ended all sessions of ${fullName(about)}`,
  'token.made': ({by, about, rights}: Token & WithRights) =>
    `${by.name} made the token “${about.name}” with these rights: ${rights}`,
  /** At most once an hour for each token. */
  'token.used': ({by}: By & ByClient) => `The token “${by.name}” was used`,
  'token.revoked': ({by, about}: Token) => `${by.name} revoked the token “${about.name}”`,
  'review.requested': documentsWere('requested a review of'),
  'review.approved': documentsWere('approved'),
  'review.sentBack': documentsWere('sent back'),
  'release.created': documentsWere('created the release'),
  'release.scheduled': documentsWere('scheduled the release'),
  'release.unscheduled': documentsWere('unscheduled the release'),
  'release.published': documentsWere('published the release'),
  'release.archived': documentsWere('archived the release'),
  'release.unarchived': documentsWere('unarchived the release'),
  'release.deleted': documentsWere('deleted the release'),
  /** An administrator published without the review that the site asks for. */
  'publish.emergency': ({by, documents, reason}: Documents) =>
    `${by.name} published ${listed(documents)} without a review${quoted(reason)}`,
  /** Needs no review. */
  'publish.switchedOff': documentsWere('switched off'),
}

type Details = {[T in keyof typeof SENTENCES]: Parameters<(typeof SENTENCES)[T]>[0]}

export type AuditEvent<T extends keyof Details = keyof Details> = {
  [K in T]: {readonly type: K} & Details[K]
}[T]

/** The kinds of events, in the order in which Studio offers them. */
export const AUDIT_KINDS = ['signIn', 'people', 'token', 'review', 'release', 'publish'] as const

export type AuditKind = (typeof AUDIT_KINDS)[number]

/** Where events are recorded. */
export type Audit = {
  /**
   * Records an event, as a part of the transaction that runs.
   * @throws StateError inside of a transaction, which is refused. Otherwise never: a full disk must not prevent a sign-in
   */
  record(event: AuditEvent): void
}

/** For tests, and for parts that run without a lake. */
export const NO_AUDIT: Audit = {record: () => {}}

/** An event as a sentence. */
export function describeEvent<T extends keyof Details>(event: AuditEvent<T>): string {
  const sentences: {readonly [K in keyof Details]: (event: Details[K]) => string} = SENTENCES
  return sentences[event.type](event)
}

function documentsWere(done: string) {
  return ({by, documents, reason, publishAt}: Releases) =>
    `${by.name} ${done} ${listed(documents)}${publishAt ? ` for ${publishAt}` : ''}${quoted(reason)}`
}

function fullName({name, email}: Actor): string {
  return email === '' ? name : `${name} (${email})`
}

/** Maximum documents to name in a sentence. */
const MAX_NAMED = 5

function listed(documents: readonly AuditedDocument[]): string {
  const named = documents.slice(0, MAX_NAMED).map(({id, name = id}) => `“${name}”`)
  const rest = documents.length - named.length
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function quoted(reason: string | undefined): string {
  return reason ? `: “${reason}”` : ''
}
