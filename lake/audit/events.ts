/** A person or a program, as the audit log names it. */
export type Actor = {readonly id: string; readonly name: string; readonly email: string}

/** A principal, without what the log need not have. */
export function actorOf({id, name, email}: Actor): Actor {
  return {id, name, email}
}

/** A token, without its secret. */
type AuditedToken = {readonly id: string; readonly name: string}

/** A document, with the revision that was reviewed or published. */
export type AuditedDocument = {readonly id: string; readonly name?: string; readonly revision?: string}

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
