import {isJsonObject} from '../../../common/json.ts'
import {ask} from './app.ts'

/** The lake's response to a transaction. */
export type Said = {status: number; text: string; body: unknown}

async function post(address: string, path: string, body: string | object, token?: string): Promise<Said> {
  const headers = {'content-type': 'application/json', ...(token && {authorization: `Bearer ${token}`})}
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await ask(address, `/data/${path}`, {method: 'POST', body: text, headers})
  return {status: answer.status, text: JSON.stringify(answer.body), body: answer.body}
}

/** Sends mutations without Sanity's client; a string is the whole body. */
export function mutate(
  address: string,
  mutations: readonly object[] | string,
  {transactionId, token, query = ''}: {transactionId?: string; token?: string; query?: string} = {},
): Promise<Said> {
  const body = typeof mutations === 'string' ? mutations : {mutations, ...(transactionId && {transactionId})}
  return post(address, `mutate/production${query}`, body, token)
}

/** Sends actions; a string is the whole body. */
export function act(
  address: string,
  actions: readonly object[] | string,
  transactionId?: string,
): Promise<Said> {
  const body = typeof actions === 'string' ? actions : {actions, ...(transactionId && {transactionId})}
  return post(address, 'actions/production', body)
}

/** A document in its current state in the lake, including drafts. */
export async function documentAt(address: string, id: string): Promise<Record<string, unknown> | undefined> {
  const {body} = await ask(address, `/data/doc/production/${id}`)
  const documents = isJsonObject(body) && Array.isArray(body.documents) ? body.documents : []
  const [document]: unknown[] = documents
  return isJsonObject(document) ? document : undefined
}
