import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {after, before, describe, test} from 'node:test'
import {Validator} from '@seriousme/openapi-schema-validator'
import {Ajv2020} from 'ajv/dist/2020.js'
import {validate} from 'uuid'
import {configOf, recordOf} from '../../support/answers.ts'
import {type House, startHouse} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

/** Headers of HTTP itself and of the connection, which every response has or may have. */
const OF_EVERY_ANSWER = [
  'access-control-expose-headers',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'x-content-type-options',
]

/** Follows a path of members into a JSON value. */
function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => recordOf(inner)[name], value)
}

const methodOf = (init: RequestInit = {}) => (init.method ?? 'GET').toLowerCase()

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

describe('the OpenAPI description of the service', () => {
  let house: House
  /** For a limit of one request per minute. */
  let strict: House
  let text: string
  let document: unknown
  const ajv = new Ajv2020({allErrors: true, strict: false})
  ajv.addFormat('uuid', validate)
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))

  before(async () => {
    const documents = [
      siteDocument(),
      toolDocument({
        title: 'Find products',
        outputSchema: '{"type": "object", "properties": {}}',
        annotations: {debugging: true},
      }),
      formToolDocument({pagePath: '/**', fields: [{name: 'email', title: 'Email', description: 'Yours.'}]}),
    ]
    house = await startHouse(documents, {METRICS_TOKEN: 'scraper'})
    strict = await startHouse(documents, {RATE_LIMIT_MAX: '1'})
    text = await (await fetch(`${house.serviceAddress}/openapi.json`)).text()
    document = JSON.parse(text)
    ajv.addSchema(recordOf(document), 'document')
  })
  after(async () => {
    await house.close()
    await strict.close()
  })

  /** Validates a value against the schema at a place in the document. Returns the problems. */
  function problems(value: unknown, ...path: string[]): unknown[] {
    const check = ajv.compile({$ref: `document#/${path.map(escaped).join('/')}`})
    return check(value) ? [] : (check.errors ?? [])
  }

  async function holdAgainst(url: string, method: string, response: Response): Promise<void> {
    const path = ['paths', url, method, 'responses', String(response.status)]
    const described = recordOf(at(document, ...path))
    const headers = recordOf(described.headers)
    for (const name of Object.keys(headers)) {
      const value = response.headers.get(name)
      assert.notEqual(value, null, `${name} is described`)
      assert.deepEqual(problems(value, ...path, 'headers', name, 'schema'), [], `${name}: ${value}`)
    }
    const undescribed = [...response.headers.keys()].filter(
      (name) => !OF_EVERY_ANSWER.includes(name) && !(name in headers),
    )
    assert.deepEqual(undescribed, [])

    const body = await response.text()
    const type = response.headers.get('content-type')?.split(';')[0]
    if (described.content === undefined) return assert.equal(body, '')
    assert.ok(type !== undefined && type in recordOf(described.content), `${type} is not described`)
    const value: unknown = type === 'application/json' ? JSON.parse(body) : body
    assert.deepEqual(problems(value, ...path, 'content', type, 'schema'), [])
  }

  test('is valid OpenAPI 3.1', async () => {
    const {valid, errors} = await new Validator().validate(recordOf(JSON.parse(text)))
    assert.deepEqual([valid, errors], [true, undefined])
    assert.equal(at(document, 'openapi'), '3.1.0')
  })

  test('matches a real response of each of its routes and statuses', async () => {
    const {tools} = await configOf(house.config('shop-public'))
    const [tool] = tools
    const script = tool?.executeJs
    assert.ok(typeof script === 'string')
    const revision = createHash('sha256').update(script).digest('hex')
    const snippet = await fetch(`${house.serviceAddress}/snippet.js`, {
      headers: {'accept-encoding': 'identity'},
    })
    const digest = createHash('sha384')
      .update(await snippet.text())
      .digest('hex')

    const any = {headers: {'if-none-match': '*'}}
    const config = '/api/sites/{publicId}/config'
    const module = '/api/sites/{publicId}/tools/{toolId}/{revision}.js'
    const moduleOf = (site: string) => `/api/sites/${site}/tools/${tool?.id}/${revision}.js`
    const pinned = '/snippet.{hash}.js'
    const rows: [url: string, status: number, path: string, init?: RequestInit, house?: House][] = [
      [
        config,
        200,
        '/api/sites/shop-public/config?path=/a&more=1',
        {headers: {origin: 'https://shop.example'}},
      ],
      [config, 304, '/api/sites/shop-public/config', any],
      [config, 400, '/api/sites/shop-public/config?path=/a&path=/b'],
      [config, 404, '/api/sites/no-such-site/config'],
      [module, 200, moduleOf('shop-public')],
      [module, 304, moduleOf('shop-public'), any],
      [module, 404, moduleOf('no-such-site')],
      ['/snippet.js', 200, '/snippet.js'],
      ['/snippet.js', 304, '/snippet.js', any],
      [pinned, 200, `/snippet.${digest.slice(0, 16)}.js`],
      [pinned, 304, `/snippet.${digest.slice(0, 16)}.js`, any],
      [pinned, 404, '/snippet.0123456789abcdef.js'],
      ['/openapi.json', 200, '/openapi.json'],
      ['/openapi.json', 304, '/openapi.json', any],
      ['/healthz', 200, '/healthz'],
      ['/readyz', 200, '/readyz'],
      ['/metrics', 200, '/metrics', {headers: {authorization: 'Bearer scraper'}}],
      ['/metrics', 401, '/metrics', {headers: {authorization: 'Bearer scrape'}}],
      ['/readyz', 503, '/readyz', {}, strict],
      // The order matters: the first is the one request that the limit allows.
      [config, 500, '/api/sites/shop-public/config', {}, strict],
      [config, 429, '/api/sites/shop-public/config', {}, strict],
      [module, 500, moduleOf('other-shop'), {}, strict],
      [module, 429, moduleOf('other-shop'), {}, strict],
    ]
    strict.network.fault = {kind: 'refuse'}
    for (const [url, status, path, init, {serviceAddress} = house] of rows) {
      const response = await fetch(serviceAddress + path, init)
      assert.equal(response.status, status, path)
      await holdAgainst(url, methodOf(init), response)
    }

    const described = Object.entries(recordOf(at(document, 'paths'))).flatMap(([url, methods]) =>
      Object.entries(recordOf(methods)).flatMap(([method, operation]) =>
        Object.keys(recordOf(at(operation, 'responses'))).map((status) => `${method} ${url} ${status}`),
      ),
    )
    assert.deepEqual(
      described.sort(),
      rows.map(([url, status, , init]) => `${methodOf(init)} ${url} ${status}`).sort(),
    )
  })
})
