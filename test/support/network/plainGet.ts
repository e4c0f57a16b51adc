import {get} from 'node:http'
import {brotliDecompressSync, gunzipSync} from 'node:zlib'

/** A response as it came over the wire. */
export type Answer = {status: number | undefined; headers: Record<string, string | undefined>; body: Buffer}

/** Gets the raw bytes: `fetch` would choose encodings and decode them. */
export function plainGet(
  url: string,
  accepted: string | undefined,
  tag?: string,
  more: Record<string, string> = {},
): Promise<Answer> {
  const headers = {
    ...more,
    ...(accepted === undefined ? {} : {'accept-encoding': accepted}),
    ...(tag === undefined ? {} : {'if-none-match': tag}),
  }
  return new Promise((resolve, reject) => {
    get(url, {headers}, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const flat = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()])
        resolve({
          status: response.statusCode,
          headers: Object.fromEntries(flat),
          body: Buffer.concat(chunks),
        })
      })
    }).on('error', reject)
  })
}

/** A body with its encoding removed. */
export function decoded(encoding: string | undefined, body: Buffer): string {
  if (encoding === 'br') return brotliDecompressSync(body).toString()
  return encoding === 'gzip' ? gunzipSync(body).toString() : body.toString()
}
