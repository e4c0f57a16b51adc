import type {FastifyReply, FastifyRequest} from 'fastify'
import type {Page} from '../pages/layout.ts'

/** Sends a page to the visitor. */
export type Show = (request: FastifyRequest, reply: FastifyReply, page: Page) => FastifyReply

/** Whether a request comes from a script, which expects JSON, rather than from page navigation. */
export function asksForJson({headers, url}: FastifyRequest): boolean {
  return url.startsWith('/api/') || (headers.accept ?? '').startsWith('application/json')
}
