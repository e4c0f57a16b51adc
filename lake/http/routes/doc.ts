import type {FastifyInstance} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {draftId, publishedId} from '../../../content/ids.ts'
import {VERSIONS} from '../../../content/keys.ts'
import type {LakeContext} from '../context.ts'
import {refuse} from '../errors.ts'
import {checkTarget, flag} from '../request.ts'

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
