import type {Actor, AuditEvent, AuditedDocument} from './events.ts'

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
