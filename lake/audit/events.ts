/** A person or a program, as the audit log names it. */
export type Actor = {readonly id: string; readonly name: string; readonly email: string}

/** A principal, without what the log need not have. */
export function actorOf({id, name, email}: Actor): Actor {
  return {id, name, email}
}

/** A token, without its secret. */
type AuditedToken = {readonly id: string; readonly name: string}

/** A document, with the revision that was reviewed or published. */
type AuditedDocument = {readonly id: string; readonly name?: string; readonly revision?: string}

type ByClient = {
  /** The address of the client, as limits count it. */
  readonly client: string
}

/**
 * What the audit log records. The part of `type` before the dot is the kind by which Studio filters. No event
 * has a field for a secret: no password, no token, no code of a link, and no e-mail address that somebody
 * typed and that belongs to no account, because people type passwords into the wrong field.
 */
export type AuditEvent =
  | ({readonly type: 'signIn.succeeded'; readonly by: Actor; readonly method: SignInMethod} & ByClient)
  | ({readonly type: 'signIn.ended'; readonly by: Actor} & ByClient)
  | ({
      readonly type: 'signIn.failed'
      /** The account, if the attempt named one that exists. */
      readonly about?: Actor | undefined
      readonly method: SignInMethod | 'token'
      /** More about an attempt at a sign-in provider. Never what the client sent. */
      readonly reason?: string
    } & ByClient)
  /** Failed attempts that have no lines of their own, because there were too many. */
  | {readonly type: 'signIn.omitted'; readonly count: number}
  | {
      /** Invited: with a sign-in link. */
      readonly type: 'people.added' | 'people.invited'
      readonly by: Actor
      readonly about: Actor
      readonly rights: string
    }
  | {
      /** Signed out: the operator ended all sessions of an editor. */
      readonly type: 'people.removed' | 'people.linkMade' | 'people.passwordChanged' | 'people.signedOut'
      readonly by: Actor
      readonly about: Actor
    }
  | {
      readonly type: 'people.rightsChanged'
      readonly by: Actor
      readonly about: Actor
      /** In words, as `describeRights` writes them. */
      readonly before: string
      readonly rights: string
    }
  /** Somebody ended sessions of an editor, such as their own on another device. */
  | {readonly type: 'people.sessionsEnded'; readonly by: Actor; readonly about: Actor; readonly count: number}
  | {readonly type: 'token.made'; readonly by: Actor; readonly about: AuditedToken; readonly rights: string}
  /** At most once an hour for each token. */
  | ({readonly type: 'token.used'; readonly by: Actor} & ByClient)
  /** Rotated: replaced by a new value. */
  | {readonly type: 'token.rotated' | 'token.revoked'; readonly by: Actor; readonly about: AuditedToken}
  | {
      readonly type: 'review.requested' | 'review.approved' | 'review.sentBack'
      readonly by: Actor
      readonly documents: readonly AuditedDocument[]
      readonly reason?: string
    }
  | {
      readonly type: `release.${'created' | 'scheduled' | 'unscheduled' | 'published' | 'archived' | 'unarchived' | 'deleted'}`
      readonly by: Actor
      /** The releases. */
      readonly documents: readonly AuditedDocument[]
      /** The time that they were scheduled for. */
      readonly publishAt?: string
    }
  /** An administrator published without the review that the site asks for. */
  | {
      readonly type: 'publish.emergency'
      readonly by: Actor
      readonly documents: readonly AuditedDocument[]
      readonly reason: string
    }
  /** A person or a program switched something off, which needs no review. */
  | {
      readonly type: 'publish.switchedOff'
      readonly by: Actor
      readonly documents: readonly AuditedDocument[]
    }

export type SignInMethod = 'password' | 'link' | 'oidc'

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

const METHODS = {password: 'a password', link: 'a sign-in link', oidc: 'single sign-on', token: 'a token'}

/** An event as a sentence, for people who read the log in Studio, or its lines. */
export function describeEvent(event: AuditEvent): string {
  switch (event.type) {
    case 'signIn.succeeded':
      return `${event.by.name} signed in with ${METHODS[event.method]}`
    case 'signIn.ended':
      return `${event.by.name} signed out`
    case 'signIn.failed': {
      const who = event.about === undefined ? '' : ` as ${fullName(event.about)}`
      const why = event.reason === undefined ? '' : `: ${event.reason}`
      return `Failed sign-in${who} with ${METHODS[event.method]}${why}`
    }
    case 'signIn.omitted':
      return `${event.count} further failed sign-ins, which are not listed`
    case 'people.added':
      return `${event.by.name} added ${fullName(event.about)} as ${event.rights}`
    case 'people.invited':
      return `${event.by.name} invited ${fullName(event.about)} as ${event.rights}`
    case 'people.removed':
      return `${event.by.name} removed ${fullName(event.about)}`
    case 'people.rightsChanged':
      return (
        `${event.by.name} changed the rights of ${fullName(event.about)} ` +
        `from “${event.before}” to “${event.rights}”`
      )
    case 'people.linkMade':
      return `${event.by.name} made a sign-in link for ${fullName(event.about)}`
    case 'people.passwordChanged':
      return event.by.id === event.about.id
        ? `${event.by.name} changed their password`
        : `${event.by.name} changed the password of ${fullName(event.about)}`
    case 'people.sessionsEnded': {
      const sessions = event.count === 1 ? 'a session' : `${event.count} sessions`
      return `${event.by.name} ended ${sessions} of ${fullName(event.about)}`
    }
    case 'people.signedOut':
      return `${event.by.name} ended all sessions of ${fullName(event.about)}`
    case 'token.made':
      return `${event.by.name} made the token “${event.about.name}” with these rights: ${event.rights}`
    case 'token.used':
      return `The token “${event.by.name}” was used`
    case 'token.rotated':
      return `${event.by.name} replaced the token “${event.about.name}” by a new one`
    case 'token.revoked':
      return `${event.by.name} revoked the token “${event.about.name}”`
    case 'review.requested':
      return `${event.by.name} requested a review of ${listed(event.documents)}${quoted(event.reason)}`
    case 'review.approved':
      return `${event.by.name} approved ${listed(event.documents)}${quoted(event.reason)}`
    case 'review.sentBack':
      return `${event.by.name} sent back ${listed(event.documents)}${quoted(event.reason)}`
    case 'release.created':
    case 'release.scheduled':
    case 'release.unscheduled':
    case 'release.published':
    case 'release.archived':
    case 'release.unarchived':
    case 'release.deleted': {
      const time = event.publishAt === undefined ? '' : ` for ${event.publishAt}`
      const verb = event.type.slice('release.'.length)
      return `${event.by.name} ${verb} the release ${listed(event.documents)}${time}`
    }
    case 'publish.emergency':
      return `${event.by.name} published ${listed(event.documents)} without a review${quoted(event.reason)}`
    case 'publish.switchedOff':
      return `${event.by.name} switched off ${listed(event.documents)}`
  }
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
  return reason === undefined || reason === '' ? '' : `: “${reason}”`
}
