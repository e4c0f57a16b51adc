import type {FastifyRequest} from 'fastify'
import {isJsonObject} from '../json.ts'

/** Returns a path parameter, or an empty string if the route has none of that name. */
export function pathParam({params}: FastifyRequest, name: string): string {
  const value = isJsonObject(params) && Object.hasOwn(params, name) ? params[name] : undefined
  return typeof value === 'string' ? value : ''
}
