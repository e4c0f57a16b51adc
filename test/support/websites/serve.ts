import {createServer, type IncomingHttpHeaders} from 'node:http'
import {text} from 'node:stream/consumers'
import {listen} from '../network/ports.ts'

/** A request for a website, and what a website sends: HTML, JSON, or where it leads. */
export type Asked = {url: URL; method: string; headers: IncomingHttpHeaders; body: string}
type Sent = string | {json: object; status?: number} | {lead: string; cookie?: string}

/** Starts a website. @param headers of its pages */
export async function serve(respond: (asked: Asked) => Sent, headers: Record<string, string> = {}) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://website.example')
    const asked = {url, method: request.method ?? '', headers: request.headers, body: await text(request)}
    const sent = respond(asked)
    const encoding = headers['content-type']?.endsWith('iso-8859-1') ? 'latin1' : 'utf8'
    if (typeof sent === 'string')
      response.writeHead(200, {'content-type': 'text/html; charset=utf-8', ...headers}).end(sent, encoding)
    else if ('lead' in sent)
      response.writeHead(303, {location: sent.lead, 'set-cookie': sent.cookie ?? []}).end()
    else
      response
        .writeHead(sent.status ?? 200, {'content-type': 'application/json'})
        .end(JSON.stringify(sent.json))
  })
  const address = `http://localhost:${await listen(server)}`
  return {address, close: () => server.close().closeAllConnections()}
}
