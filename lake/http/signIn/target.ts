import type {FastifyRequest} from 'fastify'
import type {Access} from '../../access/access.ts'
import {searchParam} from '../request.ts'

/** A base URL whose origin no link can name. */
const NOWHERE = 'http://local.invalid'

/**
 * The path to continue at after signing in: `to` of the form or the query, or Studio's address, which Studio
 * sends as `origin`. Anything else becomes `/`.
 */
export function targetOf(request: FastifyRequest, access: Access, form?: URLSearchParams): string {
  const to = form?.get('to') ?? searchParam(request, 'to') ?? studioPath(request, access)
  return localPath(to) ?? '/'
}

/** The path of Studio's address, if it is on this lake. */
function studioPath(request: FastifyRequest, access: Access): string | undefined {
  const address = searchParam(request, 'origin') ?? ''
  if (!URL.canParse(address)) return undefined
  const {origin, host, pathname} = new URL(address)
  return origin === access.originOf(request) || host === request.headers.host ? pathname : undefined
}

/**
 * Returns a path on this server that is safe in a header; undefined for anything else. `//elsewhere.example`
 * is a URL on another host, `/.//elsewhere.example` becomes one, and control characters are not allowed in a
 * URL.
 */
function localPath(to: string | undefined): string | undefined {
  if (to === undefined || !/^\/[^\s\p{Cc}\\]*$/u.test(to) || !URL.canParse(to, NOWHERE)) return undefined
  const {origin, pathname, search, hash} = new URL(to, NOWHERE)
  return origin === NOWHERE && !pathname.startsWith('//') ? pathname + search + hash : undefined
}
