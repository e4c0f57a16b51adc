import type {FastifyInstance} from 'fastify'
import {plainLine} from '../../../git/objects/commitObject.ts'
import {withoutCredentials, withoutPaths} from '../../../git/remote/redact.ts'
import type {PushState} from '../../../git/remote/status.ts'
import type {Problem} from '../../readiness/problem.ts'

/** The current state of a lake. */
export type LakeReadiness = {
  /** The commit that is served. */
  readonly commit: string | undefined
  readonly documents: number
  readonly invalidFiles: number
  /** Whether this process may write to the repository. */
  readonly mayWrite: boolean
  /** Whether it follows another lake. */
  readonly isStandby: boolean
  /** `missing`: it is hosted elsewhere, or its packages are not installed. */
  readonly studio: 'ready' | 'building' | 'missing'
  readonly push: PushState
  readonly problems: readonly Problem[]
}

/**
 * `GET /readyz`. Returns 200 while documents can be served, even if something else is wrong: a problem with
 * publishing must not take the lake away from editors and the service. The lake listens only once it can
 * serve.
 */
export function readinessRoute(app: FastifyInstance, read: () => Promise<LakeReadiness>): void {
  app.get('/readyz', {config: {access: 'open'}}, async (_request, reply) => {
    const {commit = null, problems, push, isStandby, ...rest} = await read()
    const {lastError: _, ...pushed} = push
    return reply.header('cache-control', 'no-store').send({
      status: problems.length === 0 ? 'ready' : 'degraded',
      problems: problems.map(({code, message}) => ({code, message})),
      role: isStandby ? 'standby' : 'primary',
      commit,
      ...rest,
      push: pushed,
    })
  })
}

/** A problem, or something else that people must know. */
type Shown = Omit<Problem, 'code'> & {readonly code: string}

/** Characters of a reason. */
const MAX_REASON = 1_500

/** `GET /v1/problems`: what is wrong, with reasons that only people with an account may see. Studio shows it. */
export function problemsRoute(app: FastifyInstance, problems: () => Promise<readonly Shown[]>): void {
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
