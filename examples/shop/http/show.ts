import type {FastifyError, FastifyReply, FastifyRequest} from 'fastify'
import {isShopError} from '../errors.ts'
import type {Page} from '../pages/layout.ts'

/** Sends a page to the visitor. */
export type Show = (request: FastifyRequest, reply: FastifyReply, page: Page) => FastifyReply

/** Whether a request comes from a script, which expects JSON, rather than from page navigation. */
export function asksForJson({headers, url}: FastifyRequest): boolean {
  return url.startsWith('/api/') || (headers.accept ?? '').startsWith('application/json')
}

/** If a form cannot be used, its page is shown again with the error and the values that were typed. */
export function orShow(show: Show, again: (request: FastifyRequest, problem: string) => Page) {
  return {
    errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      if (!isShopError(error) || asksForJson(request)) throw error
      return show(request, reply.code(error.statusCode), again(request, error.message))
    },
  }
}
