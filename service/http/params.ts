import type {FastifyRequest} from 'fastify'

/** Returns a path parameter, or an empty string if the route has none of that name. */
export function paramOf({params}: FastifyRequest, name: string): string {
  if (typeof params !== 'object' || params === null) return ''
  const value: unknown = Object.hasOwn(params, name) ? Reflect.get(params, name) : undefined
  return typeof value === 'string' ? value : ''
}
