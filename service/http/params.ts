import type {FastifyRequest} from 'fastify'

/** A parameter of a request's path; empty where the route has none of that name. */
export function paramOf({params}: FastifyRequest, name: string): string {
  if (typeof params !== 'object' || params === null) return ''
  const value: unknown = Object.hasOwn(params, name) ? Reflect.get(params, name) : undefined
  return typeof value === 'string' ? value : ''
}
