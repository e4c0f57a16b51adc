import {request} from 'node:http'

/** A response as received, with its content still encoded. */
export type Answer = {status: number; encoding: string; entityTag: string; body: Buffer}

/** Timeout for a response, in milliseconds. */
const PATIENCE = 30_000

/** Sends one request over a new connection. */
export function answerOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, {agent: false, timeout: PATIENCE, headers}, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          encoding: answer.headers['content-encoding'] ?? 'identity',
          entityTag: answer.headers.etag ?? '',
          body: Buffer.concat(chunks),
        }),
      )
    })
    asking.on('timeout', () => asking.destroy(new Error(`no response from ${url}`)))
    asking.on('error', reject)
    asking.end()
  })
}
