import type {Fault} from '../../support/network/network.ts'

/** A fault of the lake, and how many queries the service needs to detect it. */
export type Trouble = {fault: Fault | 'unplugged'; asked: number; isSlow?: true}

const JSON_TYPE = 'application/json'

function answer(status: number, body: string, contentType = JSON_TYPE, headers = {}): Trouble {
  return {fault: {kind: 'answer', status, contentType, body, headers}, asked: 1}
}

/** A lost connection is retried once: the lake may have closed it just as it was used. */
function lost(fault: Fault): Trouble {
  return {fault, asked: 2}
}

function error(statusCode: number, name: string): Trouble {
  return answer(statusCode, JSON.stringify({statusCode, error: name, message: name}))
}

const somebodyElse = {_id: 'x', _rev: 'x', publicId: 'somebody-else', tools: [], formTools: []}
const tlsAlert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])

/** Every fault that may happen on the way to the lake and back. */
export const troubles: Record<string, Trouble> = {
  'is unplugged': {fault: 'unplugged', asked: 0},
  'closes every connection': lost({kind: 'refuse'}),
  hangs: {fault: {kind: 'hang'}, asked: 1, isSlow: true},
  'hangs after the headers': {fault: {kind: 'stall'}, asked: 1, isSlow: true},
  'resets the connection after the headers': lost({kind: 'reset'}),
  'closes the connection in the middle of a body': lost({kind: 'truncate'}),
  'sends less than it announced': lost({kind: 'half', body: '{"result": {"site": null'}),
  'speaks TLS where HTTP is expected': {fault: {kind: 'bytes', bytes: tlsAlert}, asked: 1},
  'returns 429': error(429, 'Too Many Requests'),
  'returns 429 with Retry-After': answer(429, '{}', JSON_TYPE, {'retry-after': '1'}),
  'returns 503 with Retry-After': answer(503, '<h1>Maintenance</h1>', 'text/html', {'retry-after': '1'}),
  'returns 500': error(500, 'Internal Server Error'),
  'returns 502 with a page': answer(502, '<h1>Bad gateway</h1>', 'text/html'),
  'returns 401': error(401, 'Unauthorized'),
  'returns 404': error(404, 'Not Found'),
  'returns 200 with an HTML page': answer(200, '<h1>Sign in to this network</h1>', 'text/html'),
  'returns 200 with nothing': answer(200, ''),
  'returns 200 with JSON that ends early': answer(200, '{"result": {"site": nul'),
  'returns 200 with a valid body of the wrong type': answer(
    200,
    '{"result": {"site": null}, "syncTags": []}',
    'text/plain',
  ),
  'returns 200 without a result': answer(200, '{}'),
  'returns 200 with null': answer(200, 'null'),
  'returns 200 with a result of null': answer(200, '{"result": null, "syncTags": []}'),
  'returns 200 with a list': answer(200, '{"result": [], "syncTags": []}'),
  'returns 200 with half a site': answer(
    200,
    '{"result": {"site": {"_id": "x", "_rev": "x"}}, "syncTags": []}',
  ),
  'returns 200 with another site': answer(200, JSON.stringify({result: {site: somebodyElse}, syncTags: []})),
  'returns 204': answer(204, ''),
  'redirects to a page': answer(302, '', 'text/html', {location: 'data:text/html,hello'}),
}
