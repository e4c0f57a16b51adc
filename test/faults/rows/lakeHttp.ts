import type {Fault} from '../fault.ts'

/** Faults in `lake/http/`, `lake/studio/`, `lake/webhooks/` and `lake/audit/`. */
export const LAKE_HTTP: readonly Fault[] = [
  {
    name: 'browsers guess the type of a response',
    file: 'lake/http/gate.ts',
    find: "reply.raw.setHeader('x-content-type-options', 'nosniff')",
    replace: '',
  },
  {
    name: 'an event stream survives the end of its session',
    file: 'lake/http/events/eventStream.ts',
    find: 'void this.#endUnlessAllowed(request, stream)',
    replace: '',
  },
  {
    name: 'a document that leaves a query is reported as an update',
    file: 'lake/http/events/listen.ts',
    find: "is ? 'appear' : 'disappear'",
    replace: "is ? 'appear' : 'update'",
  },
  {
    name: 'queries that have ended fill the queue',
    file: 'lake/http/limits/fairQueue.ts',
    find: 'this.#total -= 1',
    replace: 'this.#total -= 0',
  },
  {
    name: 'caches serve a compressed response to every client',
    file: 'lake/http/compression.ts',
    find: "vary(reply, 'accept-encoding')",
    replace: '',
  },
  {
    name: 'a dry run of an action changes documents',
    file: 'lake/http/routes/write.ts',
    find: 'const dryRun = body.dryRun === true',
    replace: "const dryRun = body.dryRun === 'true'",
  },
  {
    name: 'a Git host is told that a pull succeeded although it failed',
    file: 'lake/http/routes/gitWebhook.ts',
    find: "reply.code(pulled.result === 'failing' ? 202 : 200)",
    replace: 'reply.code(200)',
  },
  {
    name: 'signing in continues at another host',
    file: 'lake/http/signIn/target.ts',
    find: "origin === NOWHERE && !pathname.startsWith('//')",
    replace: 'origin === NOWHERE',
  },
  {
    name: 'a Host header adds directives to the policy of Studio',
    file: 'lake/studio/policy.ts',
    find: 'return host !== undefined && ',
    replace: 'return host !== undefined || ',
  },
  {
    name: 'the streams of a closed tab stay open',
    file: 'lake/studio/relay.ts',
    find: 'for (const id of [...streams.keys()]) close(id)',
    replace: '',
  },
  {
    name: 'a push that arrives during a pull is missed',
    file: 'lake/webhooks/pulls.ts',
    find: 'if (this.#running === undefined) return this.#start()',
    replace: 'return this.#running ?? this.#start()',
  },
  {
    name: 'a change during the delivery of a webhook is not delivered',
    file: 'lake/webhooks/outgoing/outgoingWebhooks.ts',
    find: 'if (isDelivered && later === change) pending.delete(id)',
    replace: 'if (isDelivered) pending.delete(id)',
  },
  {
    name: 'the audit log does not say how many attempts it left out',
    file: 'lake/audit/failureLimit.ts',
    find: 'if (omitted > 0) this.#report(omitted)',
    replace: 'if (omitted > MAX_RECORDED) this.#report(0)',
  },
]
