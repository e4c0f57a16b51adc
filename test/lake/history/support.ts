import assert from 'node:assert/strict'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {createClient} from '@sanity/client'
import {Access} from '../../../lake/access/access.ts'
import {openContentFolder} from '../../../lake/content/folder.ts'
import {Publisher} from '../../../lake/content/publisher.ts'
import {ContentRepository} from '../../../lake/content/repository.ts'
import {isJsonObject, type JsonObject} from '../../../lake/documents/document.ts'
import {DocumentStore} from '../../../lake/documents/store.ts'
import {openHistory} from '../../../lake/history/open.ts'
import {buildApp} from '../../../lake/http/app.ts'
import {historyRoutes} from '../../../lake/http/history.ts'
import {openWriter} from '../../../lake/write/open.ts'
import {token} from '../support/app.ts'
import {environment} from '../support/documents.ts'
import {type TestRepository, temporaryFolder} from '../support/git.ts'
import {recordingLogger} from '../support/log.ts'

/** A lake with its past, over a repository that is there. */
export async function openLake(t: TestContext, repository: TestRepository, editorsFile?: string) {
  const {logger, warnings} = recordingLogger()
  const folder = await openContentFolder(repository.directory)
  const content = new ContentRepository(folder, logger)
  await content.load()
  const publisher = new Publisher(folder, logger)
  await publisher.recover()
  const store = new DocumentStore()
  const file = editorsFile ?? join(await temporaryFolder(t), 'editors.json')
  const access = new Access({editorsFile: file, apiToken: token})
  const context = {store, environment, access}
  const {app, publish, acceptWrites} = await buildApp(context, logger)
  const history = await openHistory({folder, repository: content, store, access, logger})
  const told: typeof publish = (applied) => {
    history.record(applied)
    publish(applied)
  }
  const writer = await openWriter({
    folder,
    repository: content,
    publisher,
    store,
    environment,
    publish: told,
    logger,
  })
  acceptWrites(writer)
  historyRoutes(app, context, history)
  const address = await app.listen({host: '127.0.0.1', port: 0})
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await app.close()
    await writer.close()
    await history.close()
    await publisher.close()
    await content.close()
  }
  t.after(close)
  const client = createClient({
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2025-02-19',
    useCdn: false,
    useProjectHostname: false,
    apiHost: address,
    maxRetries: 0,
    ignoreBrowserTokenWarning: true,
    token,
  })
  return {
    address,
    access,
    client,
    close,
    editorsFile: file,
    refresh: () => writer.refresh(),
    settled: () => publisher.settled(),
    warnings,
  }
}

export type OpenLake = Awaited<ReturnType<typeof openLake>>

/** The history routes, as Studio asks them. */
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
      const response = await get(`/transactions/${ids}?effectFormat=mendoza&limit=200&${search}`)
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

export function objects(value: unknown): JsonObject[] {
  assert.ok(Array.isArray(value) && value.every(isJsonObject))
  return value
}
