import {mkdtemp, rm} from 'node:fs/promises'
import {createServer, type ServerResponse} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {evaluate, parse} from 'groq-js'
import type {ContentDocument} from './content.ts'
import {listen} from './network/ports.ts'

/** What a service reads: published documents, and a word when they change. */
export type MemoryLake = {
  readonly address: string
  readonly serviceToken: string
  readonly repository: {
    readonly dir: string
    commit(documents: readonly ContentDocument[]): Promise<void>
    remove(documents: readonly Pick<ContentDocument, '_id'>[]): Promise<void>
  }
  close(): Promise<void>
}

/** A Content Lake without Git, for what does not depend on how documents are kept. */
export async function startMemoryLake(documents: readonly ContentDocument[]): Promise<MemoryLake> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-memory-'))
  const stored = new Map<string, ContentDocument>()
  const streams = new Set<ServerResponse>()
  let revision = 0
  const server = createServer(async (request, response) => {
    const {pathname, searchParams} = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.includes('/live/events/')) {
      response.writeHead(200, {'content-type': 'text/event-stream'}).write('event: welcome\ndata: {}\n\n')
      streams.add(response.on('close', () => streams.delete(response)))
      return
    }
    const params: Record<string, unknown> = {}
    for (const [name, value] of searchParams)
      if (name.startsWith('$')) params[name.slice(1)] = JSON.parse(value)
    const query = parse(searchParams.get('query') ?? '', {params})
    const value = await evaluate(query, {dataset: [...stored.values()], params})
    response
      .writeHead(200, {'content-type': 'application/json'})
      .end(JSON.stringify({result: await value.get()}))
  })
  const changed = () => {
    for (const stream of streams) stream.write('event: message\ndata: {}\n\n')
  }
  const put = (some: readonly ContentDocument[]) => {
    const _updatedAt = new Date().toISOString()
    for (const document of some) {
      const _createdAt = stored.get(document._id)?._createdAt ?? _updatedAt
      stored.set(document._id, {_createdAt, ...document, _updatedAt, _rev: `revision-${++revision}`})
    }
    changed()
  }
  put(documents)
  const port = await listen(server)
  return {
    address: `http://127.0.0.1:${port}`,
    serviceToken: 'a-token-for-tests',
    repository: {
      dir: join(dir, 'content.git'),
      commit: async (some) => put(some),
      async remove(some) {
        for (const {_id} of some) stored.delete(_id)
        changed()
      },
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(dir, {recursive: true, force: true})
    },
  }
}
