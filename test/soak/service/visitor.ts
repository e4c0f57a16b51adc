import {Agent, request} from 'node:http'

/** What a visitor saw, and how long it took: milliseconds. */
export type Sight = {status: number; entityTag: string; age: number; milliseconds: number; body: string}

/** Client timeout, in milliseconds. */
const PATIENCE = 30_000

/** Requests configs over keep-alive connections. */
export class Visitor {
  readonly #address: string
  readonly #agent = new Agent({keepAlive: true, maxSockets: 64})

  constructor(address: string) {
    this.#address = address
  }

  ask(publicId: string): Promise<Sight> {
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const asking = request(
        `${this.#address}/api/sites/${publicId}/config`,
        {agent: this.#agent, timeout: PATIENCE},
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              entityTag: answer.headers.etag ?? '',
              age: Number(answer.headers.age),
              milliseconds: performance.now() - started,
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      asking.on('timeout', () => asking.destroy(new Error('no response')))
      asking.on('error', reject)
      asking.end()
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
