import type {FastifyError, FastifyReply, FastifyRequest} from 'fastify'
import {type ErrorCode, errors, isShopError} from '../errors.ts'
import {notePage} from '../pages/note.ts'
import {asksForJson, type Show} from './show.ts'

/** Sends an error: coded JSON to scripts, a page to people. */
export function sendFailure(
  thrown: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  show: Show,
): FastifyReply {
  const {code, statusCode, message} = known(thrown)
  if (statusCode >= 500) request.log.error({err: thrown, url: request.url}, 'a request to the shop failed')
  reply.code(statusCode)
  if (asksForJson(request)) return reply.send({error: {code, message}})
  return show(request, reply, notePage(statusCode === 404 ? 'Not found' : 'That did not work', message))
}

function known(error: FastifyError): {code: ErrorCode; statusCode: number; message: string} {
  if (isShopError(error)) return error
  const {statusCode = 500, message} = error
  return statusCode < 500 ? {code: 'INVALID_INPUT', statusCode, message} : new errors.INTERNAL_ERROR()
}
