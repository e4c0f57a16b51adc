import {createServer, type IncomingHttpHeaders} from 'node:http'
import {listen} from '../../support/network/ports.ts'

/** A report as it leaves the browser. */
type Report = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Recorder = {
  readonly address: string
  /** The reports that arrived, and the other requests. */
  readonly reports: Report[]
  readonly others: string[]
  close(): void
}

/** Listens in front of a service, and keeps what pages report. */
export async function startRecorder(target: string): Promise<Recorder> {
  const reports: Report[] = []
  const others: string[] = []
  const server = createServer(async (request, response) => {
    const {method = '', url = '', headers} = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks).toString()
    if (url.endsWith('/calls')) reports.push({method, url, headers, body})
    else others.push(`${method} ${url}`)
    const answer = await fetch(target + url, {
      method,
      headers: {'content-type': headers['content-type'] ?? '', origin: headers.origin ?? ''},
      ...(method === 'POST' && {body}),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    for (const name of [
      'content-type',
      'etag',
      'access-control-allow-origin',
      'access-control-expose-headers',
      'cache-control',
    ]) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(answer.status).end(bytes)
  })
  const port = await listen(server)
  return {
    address: `http://127.0.0.1:${port}`,
    reports,
    others,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
