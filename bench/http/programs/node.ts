import {createServer} from 'node:http'
import {bodies, CONTENT_TYPE, ENTITY_TAG, NOT_FOUND} from './bodies.ts'
import {listen} from './parent.ts'

/** `node:http` with a finished Buffer: the minimum cost of everything that is built on it. */
listen(
  createServer((request, response) => {
    const body = bodies.get(request.url ?? '')
    if (!body) {
      response.writeHead(500).end()
      return
    }
    if (request.headers['if-none-match'] === ENTITY_TAG) {
      response.writeHead(304, {etag: ENTITY_TAG}).end()
      return
    }
    const status = request.url === `/${NOT_FOUND}` ? 404 : 200
    response.writeHead(status, {
      'content-type': CONTENT_TYPE,
      'content-length': body.byteLength,
      etag: ENTITY_TAG,
    })
    response.end(body)
  }),
)
