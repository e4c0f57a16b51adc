import {existsSync} from 'node:fs'
import {join} from 'node:path'
import type {FastifyInstance} from 'fastify'
import {plainLine} from '../../../common/text/plainLine.ts'
import {withoutCredentials, withoutPaths} from '../../../common/text/redact.ts'
import type {LakeParts, Problem} from '../../readiness/checks.ts'
import type {Readiness} from '../../readiness/readiness.ts'

/** The current state of a lake. */
export async function stateOf(
  {repository, store, pusher}: LakeParts,
  readiness: Readiness,
  studioDir: string | undefined,
) {
  return {
    commit: repository.head,
    documents: store.size,
    invalidFiles: repository.invalid.length,
    studio: stateOfStudio(studioDir),
    push: pusher.state,
    problems: await readiness.problems(),
  }
}

/** Missing: it is hosted elsewhere, or its packages are not installed. */
function stateOfStudio(directory: string | undefined): 'ready' | 'building' | 'missing' {
  if (directory === undefined) return 'missing'
  return existsSync(join(directory, 'index.html')) ? 'ready' : 'building'
}

export type LakeState = Awaited<ReturnType<typeof stateOf>>

/**
 * `GET /readyz`. Returns 200 while documents can be served, even if something else is wrong: a problem with
 * publishing must not take the lake away from editors and the service. The lake listens only once it can
 * serve.
 */
export function readinessRoute(app: FastifyInstance, read: () => Promise<LakeState>): void {
  app.get('/readyz', {config: {access: 'open'}}, async (_request, reply) => {
    const {commit = null, problems, push, ...rest} = await read()
    const {lastError: _, ...pushed} = push
    return reply.header('cache-control', 'no-store').send({
      status: problems.length === 0 ? 'ready' : 'degraded',
      problems: problems.map(({code, message}) => ({code, message})),
      commit,
      ...rest,
      push: pushed,
    })
  })
}

/** Characters of a reason. */
const MAX_REASON = 1_500

/** `GET /v1/problems`: what is wrong, with reasons that only people with an account may see. Studio shows it. */
export function problemsRoute(app: FastifyInstance, problems: () => Promise<readonly Problem[]>): void {
  app.get('/v:version/problems', {config: {access: 'read'}}, async (_request, reply) => {
    const found = await problems()
    return reply.header('cache-control', 'no-store').send({
      problems: found.map(({code, message, details}) => {
        const reason = typeof details?.reason === 'string' ? details.reason : undefined
        return {code, message, ...(reason !== undefined && {reason: shown(reason)})}
      }),
    })
  })
}

/** One line without credentials, and without folders of this machine. */
function shown(reason: string): string {
  return withoutPaths(withoutCredentials(plainLine(reason))).slice(0, MAX_REASON)
}
