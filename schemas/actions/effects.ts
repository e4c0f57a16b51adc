import {methodChanges} from '../rules/hints/effects.ts'
import type {SentRow} from './request.ts'

/** What a request sends, also before it was checked. */
type Sent = {
  readonly method: string
  readonly encoding: string
  readonly body: readonly Pick<SentRow, 'path' | 'value'>[]
}

/** Whether a request is one of GraphQL: its body has the text of a query. */
export function isGraphql({body, encoding}: Pick<Sent, 'body' | 'encoding'>): boolean {
  return encoding === 'json' && queryOf(body) !== undefined
}

/** Whether a request may change something: all but GET, and queries of GraphQL whose text is fixed. */
export function changesData(request: Sent): boolean {
  const value = isGraphql(request) ? queryOf(request.body)?.value : undefined
  return methodChanges(
    request.method,
    value !== undefined && 'fixed' in value ? String(value.fixed) : undefined,
  )
}

function queryOf(body: Sent['body']): Sent['body'][number] | undefined {
  return body.find(({path}) => path.length === 1 && path[0] === 'query')
}
