import type {Access} from '../../../access/access.ts'
import type {Principal} from '../../../access/principal.ts'
import type {SessionInfo} from '../../../access/signIn/sessions.ts'
import {actorOf} from '../../../audit/events.ts'

/** Ends sessions of an editor, and records it. */
export function endSessions(
  {sessions, audit}: Access,
  by: Principal,
  about: Principal,
  ended: readonly SessionInfo[],
): void {
  const ids = ended.map(({id}) => id)
  sessions.end(ids, () =>
    audit.record({type: 'people.sessionsEnded', by: actorOf(by), about: actorOf(about), count: ids.length}),
  )
}

/** A session as Studio shows it. */
export function shownSession({id, since, lastUsed, browser}: SessionInfo) {
  return {id, since: new Date(since).toISOString(), lastUsed: new Date(lastUsed).toISOString(), browser}
}
