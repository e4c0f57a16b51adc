import {Readable} from 'node:stream'
import {setImmediate} from 'node:timers/promises'
import type {FastifyInstance} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import type {Document} from '../../../content/document.ts'
import {draftId, publishedId} from '../../../content/ids.ts'
import {VERSIONS} from '../../../content/keys.ts'
import {refuse} from '../errors.ts'
import {checkTarget, flag, type LakeContext, searchParam} from '../request.ts'

/** Maximum documents of one request. The client requests 100 at a time. */
const MAX_IDS = 200

/**
 * `GET /data/doc/:dataset/:ids`. With `includeAllVersions`, also the draft, the published document and the versions of each id.
 * https://www.sanity.io/docs/http-reference/doc
 */
export function docRoute(app: FastifyInstance, context: LakeContext): void {
  app.get('/v:version/data/doc/:dataset/:ids', {config: {access: 'read'}}, (request) => {
    checkTarget(request, context)
    const asked = pathParam(request, 'ids').split(',')
    const allVersions = flag(request, 'includeAllVersions', false)
    const ids = allVersions ? [...new Set(asked.flatMap((id) => versionsOf(id, context)))] : asked
    if (ids.length > MAX_IDS)
      throw refuse.badRequest(`Too many documents: request at most ${MAX_IDS} at a time`)
    const found = ids.map((id) => context.store.get(id))
    return {
      documents: flag(request, 'excludeContent', false)
        ? []
        : found.filter((document) => document !== undefined),
      omitted: ids
        // With all versions, a missing one is not an omission.
        .filter((_, at) => found[at] === undefined && !allVersions)
        .map((id) => ({id, reason: 'existence'})),
    }
  })
}

/** The ids under which a document may exist, and those of its versions in releases. */
function versionsOf(id: string, {store}: LakeContext): string[] {
  const published = publishedId(id)
  const versions = store.view('raw').find(VERSIONS, [published])
  return [published, draftId(published), ...versions.map(({_id}) => _id)]
}

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
