import assert from 'node:assert/strict'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {token} from '../support/app.ts'

/** The history routes, requested the way Studio does. */
export function pastOf({address}: {address: string}) {
  const get = async (path: string) => {
    const headers = {authorization: `Bearer ${token}`}
    const response = await fetch(`${address}/vX/data/history/production${path}`, {headers})
    assert.equal(response.status, 200, path)
    return response
  }
  const getObject = async (path: string): Promise<JsonObject> => {
    const body: unknown = await (await get(path)).json()
    assert.ok(isJsonObject(body))
    return body
  }
  return {
    async documents(ids: string, search: string): Promise<JsonObject[]> {
      return objects((await getObject(`/documents/${ids}?${search}`)).documents)
    },
    async transactions(ids: string, search = ''): Promise<JsonObject[]> {
      const params = new URLSearchParams(search)
      params.set('effectFormat', 'mendoza')
      if (!params.has('limit')) params.set('limit', '200')
      const response = await get(`/transactions/${ids}?${params}`)
      assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
      const lines = (await response.text()).split('\n').filter((line) => line !== '')
      return objects(lines.map((line): unknown => JSON.parse(line)))
    },
    /** Every event, page by page. */
    async events(id: string, limit = 100): Promise<JsonObject[]> {
      const all: JsonObject[] = []
      let cursor = ''
      do {
        const search = new URLSearchParams({limit: String(limit), ...(cursor && {nextCursor: cursor})})
        const {events, nextCursor} = await getObject(`/events/documents/${id}?${search}`)
        assert.ok(isJsonObject(events) && typeof nextCursor === 'string')
        all.push(...objects(events[id]))
        assert.ok(nextCursor === '' || nextCursor !== cursor)
        cursor = nextCursor
      } while (cursor !== '')
      return all
    },
  }
}

/** The changes of all documents, and of each what it did to which of them. */
export async function activityOf(address: string, search = '') {
  const url = `${address}/vX/data/history/production/activity?${search}`
  const response = await fetch(url, {headers: {authorization: `Bearer ${token}`}})
  assert.equal(response.status, 200)
  const body: unknown = await response.json()
  assert.ok(isJsonObject(body))
  const changes = objects(body.changes)
  const lines = changes.map(({documents}) =>
    objects(documents).map(({id, type, change}) => `${change} ${type} ${id}`),
  )
  return {...body, changes, lines}
}

export function objects(value: unknown): JsonObject[] {
  assert.ok(Array.isArray(value) && value.every(isJsonObject))
  return value
}
