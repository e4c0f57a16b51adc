import type {FastifyReply, FastifyRequest} from 'fastify'
import type {Carts} from '../store/carts.ts'

const COOKIE = 'harbour_supply'
const pattern = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{22})(?:;|$)`)

/** Returns the visitor by their cookie. `undefined` without a cart, or with a made-up cookie. */
export function visitorOf({headers}: FastifyRequest, carts: Carts): string | undefined {
  const visitor = pattern.exec(headers.cookie ?? '')?.[1]
  return visitor !== undefined && carts.linesOf(visitor) !== undefined ? visitor : undefined
}

/** Sets a visitor's cookie unless they have it. Only visitors with a cart get one. */
export function remember(reply: FastifyReply, known: string | undefined, visitor: string): void {
  if (visitor === known) return
  // Lax: a link from elsewhere finds the cart, a form from elsewhere does not.
  reply.header('set-cookie', `${COOKIE}=${visitor}; Path=/; HttpOnly; SameSite=Lax`)
}
