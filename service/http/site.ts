import type {FastifyRequest} from 'fastify'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {KnownSite} from '../cache/sites.ts'
import {errors} from '../errors.ts'
import type {CompiledSite} from '../site/compile.ts'
import {paramOf} from './params.ts'

/** Where routes get sites from. */
export type SiteCache = {get(publicId: string, maxAge?: number): Promise<KnownSite>}

/** The site that a request names, and when the lake last confirmed it. */
export type RequestedSite = {readonly site: CompiledSite; readonly validatedAt: number}

/**
 * Finds the site that the `publicId` of a request's path names.
 * @param maxAge see `Sites.get`.
 * @throws NOT_FOUND where no published site has it.
 */
export async function siteOf(
  request: FastifyRequest,
  sites: SiteCache,
  maxAge?: number,
): Promise<RequestedSite> {
  const publicId = parsePublicId(paramOf(request, 'publicId'))
  if (!publicId.ok) throw unknownSite()
  const {site, validatedAt} = await sites.get(publicId.value, maxAge)
  if (!site) throw unknownSite()
  return {site, validatedAt}
}

/** 404 for a public identifier that is malformed, was never given, or whose site was deleted: one answer for all. */
export function unknownSite(): Error {
  return new errors.NOT_FOUND('No site has this public identifier.')
}
