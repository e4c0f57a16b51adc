import type {FastifyReply, FastifyRequest} from 'fastify'
import type {Page} from '../pages/layout.ts'

/** Sends a page to the visitor who asked for it. */
export type Show = (request: FastifyRequest, reply: FastifyReply, page: Page) => FastifyReply

/** Whether a request comes from a script, which reads JSON, and not from a page on its way to another one. */
export function asksForJson({headers, url}: FastifyRequest): boolean {
  return url.startsWith('/api/') || (headers.accept ?? '').startsWith('application/json')
}
