import {errorMessage} from '../../common/errorMessage.ts'
import {readServiceToken} from '../../common/serviceToken.ts'
import type {Transport} from './transport.ts'

type Init = Parameters<Transport>[1]

type UpstreamTokenOptions = {
  /** The token from the settings. */
  readonly token?: string | undefined
  /** The file where a local lake stores a token for the service. Read when needed. */
  readonly file?: string | undefined
  /** Called with instructions for the operator, once until requests are accepted again. */
  readonly onProblem: (message: string) => void
}

/**
 * The token that the service sends upstream. A token file may appear or change while the service runs, so it
 * is read again whenever upstream returns 401.
 */
export class UpstreamToken {
  readonly #options: UpstreamTokenOptions
  #token: string | undefined
  #isRead = false
  #toldProblem: string | undefined

  constructor(options: UpstreamTokenOptions) {
    this.#options = options
    this.#token = options.token
  }

  /**
   * Wraps a transport so that it sends the token with each request. For live events of published content,
   * `@sanity/client` sends no token, but a lake requires one.
   */
  authorize(transport: Transport): Transport {
    return async (url, init) => {
      if (!this.#isRead) await this.#read()
      const sent = this.#token
      const response = await transport(url, withToken(init, sent))
      if (response.status !== 401) {
        this.#toldProblem = undefined
        return response
      }
      await this.#read()
      if (this.#token === sent) return this.#refusedWith(response)
      await response.body?.cancel()
      const second = await transport(url, withToken(init, this.#token))
      return second.status === 401 ? this.#refusedWith(second) : second
    }
  }

  async #read(): Promise<void> {
    const {file} = this.#options
    this.#isRead = true
    if (file === undefined) return
    try {
      this.#token = await readServiceToken(file)
    } catch (error) {
      this.#token = undefined
      this.#tell(errorMessage(error))
    }
  }

  #refusedWith<T>(response: T): T {
    const {file} = this.#options
    if (file === undefined)
      this.#tell(
        'The content lake rejected the service’s token, or requires one: set SANITY_API_TOKEN to a token that may read. If you run your own lake, give it the same setting',
      )
    else if (this.#toldProblem === undefined)
      this.#tell(
        `The content lake rejected the service: ${file} contains no token that it accepts. Start both in the same folder or with the same CONTENT_DIR, or set SANITY_API_TOKEN for both`,
      )
    return response
  }

  #tell(message: string): void {
    if (message === this.#toldProblem) return
    this.#toldProblem = message
    this.#options.onProblem(message)
  }
}

function withToken(init: Init, token: string | undefined): Init {
  if (token === undefined) return init
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${token}`)
  return {...init, headers}
}
