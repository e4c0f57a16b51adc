import {isJsonObject} from '../../../common/json.ts'
import type {AuditLog} from '../../audit/auditLog.ts'
import type {HookSource} from './deliverer.ts'

/** Maximum events of one delivery. */
const MAX_EVENTS = 100

/** The events of the audit log, which is the queue: events that it deleted meanwhile are not posted. */
export function auditEventsFor(audit: Pick<AuditLog, 'find' | 'lines'>): HookSource {
  return {
    kind: 'audit',
    now: () => audit.find({limit: 1}).events[0]?.id ?? '',
    since(cursor) {
      const events = audit
        .lines(cursor, MAX_EVENTS)
        .map((line): unknown => JSON.parse(line))
        .filter(isJsonObject)
      const id = events.at(-1)?.id
      if (typeof id !== 'string') return {cursor, deliveries: []}
      return {
        cursor: id,
        deliveries: [() => ({id, operation: 'create', transactionId: id, body: {events}})],
      }
    },
  }
}
