import {Readable} from 'node:stream'
import {setImmediate} from 'node:timers/promises'
import type {FastifyInstance} from 'fastify'
import type {Document} from '../../../content/document.ts'
import type {LakeContext} from '../context.ts'
import {refuse} from '../errors.ts'
import {checkTarget, searchParam} from '../request.ts'

/** Documents of one page, if the client asks for pages. */
const PAGE_SIZE = 5_000

/** Characters that are encoded before other requests get a turn. */
const CHUNK_LENGTH = 65_536

/** The type of the secrets of preview links, which expire after an hour. A file would keep them readable. */
const SECRET_TYPE = 'sanity.previewUrlSecret'

/** A cursor that contains the id of the last document of a page. */
const CURSOR_PREFIX = 'after.'

/**
 * `GET /data/export/:dataset`: every document as a line of JSON, drafts included, as of the moment of the request.
 * Leaves out the secrets of previews. `types` selects document types. With `nextCursor`, which is empty at first, the response is one page, and its last line has the cursor of the next one.
 * https://www.sanity.io/docs/http-reference/export
 */
export function exportRoute(app: FastifyInstance, context: LakeContext): void {
  app.get('/v:version/data/export/:dataset', {config: {access: 'read'}}, async (request, reply) => {
    checkTarget(request, context)
    const types = new Set(searchParam(request, 'types')?.split(',').filter(Boolean))
    const cursor = searchParam(request, 'nextCursor')
    const all = context.store.view('raw').all()
    const documents = all.filter(({_type}) => _type !== SECRET_TYPE && (types.size === 0 || types.has(_type)))
    const lines = cursor === undefined ? linesOf(documents) : linesOf(...pageAfter(documents, cursor))
    return reply.type('application/x-ndjson').send(Readable.from(lines))
  })

  const dataset = {name: context.environment.dataset, aclMode: 'private'}
  for (const path of ['/v:version/datasets', '/v:version/projects/:project/datasets'])
    app.get(path, {config: {access: 'read'}}, (request) =>
      // Studio looks for the dataset of comments, which a lake does not have.
      searchParam(request, 'datasetProfile') === undefined ? [dataset] : [],
    )
}

function pageAfter(documents: readonly Document[], cursor: string): [readonly Document[], string?] {
  if (cursor !== '' && !cursor.startsWith(CURSOR_PREFIX))
    throw refuse.badRequest('"nextCursor" must be empty, or come from the page before')
  const after = cursor.slice(CURSOR_PREFIX.length)
  const next = cursor === '' ? 0 : documents.findIndex(({_id}) => _id > after)
  const start = next < 0 ? documents.length : next
  const page = documents.slice(start, start + PAGE_SIZE)
  const last = page.at(-1)
  return start + PAGE_SIZE < documents.length && last !== undefined
    ? [page, CURSOR_PREFIX + last._id]
    : [page]
}

async function* linesOf(documents: readonly Document[], nextCursor?: string): AsyncGenerator<Buffer> {
  let chunk = ''
  for (const document of documents) {
    chunk += `${JSON.stringify(document)}\n`
    if (chunk.length < CHUNK_LENGTH) continue
    yield Buffer.from(chunk)
    chunk = ''
    await setImmediate()
  }
  if (nextCursor !== undefined) chunk += `${JSON.stringify({nextCursor})}\n`
  if (chunk !== '') yield Buffer.from(chunk)
}
