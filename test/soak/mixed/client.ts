import {Agent, type IncomingHttpHeaders, request} from 'node:http'
import {decoded} from '../../support/network/plainGet.ts'

/** A complete response. `sent` is in milliseconds since 1970. */
export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  sent: number
  milliseconds: number
}

/** Client timeout, in milliseconds. */
const PATIENCE = 30_000

/** A client with its own address (each of 127.0.0.0/8 is this machine) and keep-alive connections. */
export class Client {
  readonly #target: string
  readonly #agent: Agent

  constructor(target: string, localAddress: string) {
    this.#target = target
    this.#agent = new Agent({keepAlive: true, maxSockets: 64, localAddress})
  }

  /** @throws Error without a complete response. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = Date.now()
    const started = performance.now()
    // The server may close a kept connection just as it is used: retries once, as browsers do (RFC 9110
    // §9.2.2).
    const answer = await this.#ask(path, headers).catch((error: unknown) => {
      if (error instanceof LostConnection) return this.#ask(path, headers)
      throw error
    })
    return {...answer, sent, milliseconds: performance.now() - started}
  }

  close(): void {
    this.#agent.destroy()
  }

  #ask(path: string, headers: Record<string, string>): Promise<Pick<Answer, 'status' | 'headers' | 'text'>> {
    return new Promise((resolve, reject) => {
      const asking = request(
        `${this.#target}${path}`,
        {agent: this.#agent, headers, timeout: PATIENCE},
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const body = Buffer.concat(chunks)
            const coding = answer.headers['content-encoding']
            try {
              const text = body.length === 0 ? '' : decoded(coding, body)
              resolve({status: answer.statusCode ?? 0, headers: answer.headers, text})
            } catch (error) {
              reject(error)
            }
          })
        },
      )
      asking.on('timeout', () => asking.destroy(new Error(`${path} got no response for ${PATIENCE} ms`)))
      asking.on('error', (error) =>
        reject(
          asking.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
            ? new LostConnection()
            : error,
        ),
      )
      asking.end()
    })
  }
}

class LostConnection extends Error {}
