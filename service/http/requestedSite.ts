import type {FastifyRequest} from 'fastify'
import {pathParam} from '../../common/http/pathParam.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {RequestedSite, Sites} from '../cache/sites.ts'
import {errors} from '../errors.ts'

/**
 * Returns the site with the `publicId` in the request's path.
 * @throws NOT_FOUND if no published site has this ID.
 */
export async function siteOf(request: FastifyRequest, sites: Sites): Promise<RequestedSite> {
  const {site, validatedAt} = await sites.get(publicIdOf(request))
  if (!site) throw unknownSite()
  return {site, validatedAt}
}

/**
 * The public ID in a request's path.
 * @throws NOT_FOUND if it is malformed, as no site has it
 */
export function publicIdOf(request: FastifyRequest): string {
  const publicId = parsePublicId(pathParam(request, 'publicId'))
  if (!publicId.ok) throw unknownSite()
  return publicId.value
}

/**
 * Creates the 404 for a public ID that is malformed or unknown, or whose site was deleted. All three get the
 * same response.
 */
function unknownSite(): Error {
  return new errors.NOT_FOUND('No site has this public ID.')
}
