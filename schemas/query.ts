/** The part of Studio's validation context that rules use if they ask for other documents. */
export type Context = {
  readonly getClient: (options: {readonly apiVersion: string}) => Client
  readonly document?: {readonly _id: string; [field: string]: unknown}
}

type Client = {
  readonly fetch: (
    query: string,
    params: Record<string, unknown>,
    options: {readonly perspective: 'raw'; readonly tag: string; readonly signal: AbortSignal},
  ) => Promise<unknown>
}

/** Milliseconds after which a rule stops waiting for the answer. */
const TIMEOUT = 10_000

/** Queries all versions of documents, drafts included. */
export function ask(
  context: Pick<Context, 'getClient'>,
  query: string,
  params: Record<string, unknown>,
): Promise<unknown> {
  // From this version on, a query only sees published documents, unless it asks for "raw".
  const client = context.getClient({apiVersion: '2025-02-19'})
  const signal = AbortSignal.timeout(TIMEOUT)
  return client.fetch(query, params, {perspective: 'raw', tag: 'handrail.validation', signal})
}
