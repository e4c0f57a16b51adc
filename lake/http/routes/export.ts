import {Readable} from 'node:stream'
import {setImmediate} from 'node:timers/promises'
import type {FastifyInstance} from 'fastify'
import type {Document} from '../../../content/document.ts'
import type {LakeContext} from '../context.ts'
import {checkTarget, searchParam} from '../request.ts'

/** Characters that are encoded before other requests get a turn. */
const CHUNK_LENGTH = 65_536

/** The type of the secrets of preview links, which expire after an hour. A file would keep them readable. */
const SECRET_TYPE = 'sanity.previewUrlSecret'

/**
 * `GET /data/export/:dataset`: every document as a line of JSON, drafts included, as of the moment of the request.
 * Leaves out the secrets of previews. `types` selects document types. A client that asks for pages gets one page with everything.
 * https://www.sanity.io/docs/http-reference/export
 */
export function exportRoute(app: FastifyInstance, context: LakeContext): void {
  app.get('/v:version/data/export/:dataset', {config: {access: 'read'}}, async (request, reply) => {
    checkTarget(request, context)
    const types = new Set(searchParam(request, 'types')?.split(',').filter(Boolean))
    const all = context.store.view('raw').all()
    const documents = all.filter(({_type}) => _type !== SECRET_TYPE && (types.size === 0 || types.has(_type)))
    return reply.type('application/x-ndjson').send(Readable.from(linesOf(documents)))
  })

  const dataset = {name: context.environment.dataset, aclMode: 'private'}
  for (const path of ['/v:version/datasets', '/v:version/projects/:project/datasets'])
    app.get(path, {config: {access: 'read'}}, (request) =>
      // Studio looks for the dataset of comments, which a lake does not have.
      searchParam(request, 'datasetProfile') === undefined ? [dataset] : [],
    )
}

async function* linesOf(documents: readonly Document[]): AsyncGenerator<Buffer> {
  let chunk = ''
  for (const document of documents) {
    chunk += `${JSON.stringify(document)}\n`
    if (chunk.length < CHUNK_LENGTH) continue
    yield Buffer.from(chunk)
    chunk = ''
    await setImmediate()
  }
  if (chunk !== '') yield Buffer.from(chunk)
}
