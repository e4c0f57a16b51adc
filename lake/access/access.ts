import type {FastifyRequest} from 'fastify'
import {HttpError} from '../errors.ts'
import {Accounts, programNamed} from './accounts.ts'
import {comesFromOurPage} from './guard.ts'
import {may, type Permission, type Principal} from './role.ts'
import {digest} from './secret.ts'
import {Sessions} from './sessions.ts'

export const sessionCookie = 'handrail_session'

/** Whoever sends the token of the environment. */
const environmentProgram = programNamed('api-token', 'API token', 'editor')

/** Who made what nobody is known to have made. */
const system: Principal = {id: '<system>', name: 'Unknown', email: 'system@localhost', role: 'viewer'}

export type AccessSettings = {
  /** The file of editors and tokens; sessions stand beside it. */
  readonly editorsFile: string
  /** A token from the environment, for one program that changes content. */
  readonly apiToken?: string | undefined
  /** Names with ports under which browsers reach the lake, beside those of this machine. */
  readonly hosts?: readonly string[]
}

/** Says who makes a request, and refuses what they may not do. */
export class Access {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly #apiToken: string | undefined
  readonly #hosts: ReadonlySet<string>
  readonly #principals = new WeakMap<FastifyRequest, Promise<Principal | undefined>>()

  constructor({editorsFile, apiToken, hosts = []}: AccessSettings) {
    this.accounts = new Accounts(editorsFile)
    this.sessions = new Sessions(editorsFile.replace(/(\.json)?$/, '.sessions.json'))
    this.#apiToken = apiToken
    this.#hosts = new Set(hosts)
  }

  /**
   * Who makes the request, undefined for anybody.
   * @throws HttpError 401 for credentials that are none, 403 for a cookie on its way from another page
   */
  principalOf(request: FastifyRequest): Promise<Principal | undefined> {
    let principal = this.#principals.get(request)
    if (principal === undefined) {
      principal = this.#identify(request)
      this.#principals.set(request, principal)
    }
    return principal
  }

  /**
   * Who makes the request, with leave to do it.
   * @throws HttpError 401 or 403
   */
  async require(request: FastifyRequest, permission: Permission): Promise<Principal> {
    const principal = await this.principalOf(request)
    if (principal === undefined) throw unauthorized('Unauthorized - Session not found')
    if (!may(principal.role, permission)) throw insufficient(permission)
    return principal
  }

  /** Whether the request is one of somebody's who signed in, or of a program's. Credentials that are none are nobody's. */
  async isKnown(request: FastifyRequest): Promise<boolean> {
    try {
      return (await this.principalOf(request)) !== undefined
    } catch {
      return false
    }
  }

  /** Somebody by id: an editor, or a program with a token. */
  async known(id: string): Promise<Principal | undefined> {
    const [fixed] = [environmentProgram, system].filter((one) => one.id === id)
    if (fixed !== undefined) return fixed
    const token = (await this.accounts.tokens()).find((one) => one.id === id)
    return token === undefined ? this.accounts.editor(id) : programNamed(token.id, token.name, token.role)
  }

  /** @throws HttpError 403 unless a browser asks from a page of ours */
  requireOurPage({headers, method}: FastifyRequest): void {
    if (!comesFromOurPage(headers, method, this.#hosts))
      throw new HttpError(403, 'Requests with a session are accepted from the lake’s own pages only')
  }

  /** The secret of the session that a request's cookie holds. */
  sessionSecret({headers}: FastifyRequest): string | undefined {
    const pattern = new RegExp(`(?:^|;\\s*)${sessionCookie}=([^;]+)`)
    return pattern.exec(headers.cookie ?? '')?.[1]
  }

  async #identify(request: FastifyRequest): Promise<Principal | undefined> {
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token !== undefined) {
      const program =
        this.#apiToken !== undefined && digest(token) === digest(this.#apiToken)
          ? environmentProgram
          : await this.accounts.byToken(token)
      if (program === undefined) throw unauthorized('Unauthorized - Session not found')
      return program
    }
    const secret = this.sessionSecret(request)
    const editorId = secret === undefined ? undefined : await this.sessions.editorOf(secret)
    if (editorId === undefined) return undefined
    this.requireOurPage(request)
    return this.accounts.editor(editorId)
  }
}

function unauthorized(message: string): HttpError {
  return new HttpError(401, message, {
    statusCode: 401,
    error: 'Unauthorized',
    errorCode: 'SIO-401-ANF',
    message,
  })
}

function insufficient(permission: Permission): HttpError {
  const description = `Insufficient permissions; permission "${permission}" required`
  return new HttpError(403, description, {
    error: {type: 'insufficientPermissionsError', description, permission},
  })
}
