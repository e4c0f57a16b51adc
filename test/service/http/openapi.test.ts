import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {after, before, describe, test} from 'node:test'
import {Validator} from '@seriousme/openapi-schema-validator'
import {Ajv2020} from 'ajv/dist/2020.js'
import {validate} from 'uuid'
import {configOf, recordOf} from '../../support/answers.ts'
import type {House, Replica} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {
  bodyOf,
  codeFor,
  PAGE,
  preview,
  reportsCodeFor,
  startPreviewHouse,
  tokenFor,
} from '../preview/support.ts'
import {requestOf, secret} from '../webhooks/support.ts'

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
  /** A replica with the same limit. */
  let exhausted: Replica
  let text: string
  let document: unknown
  const ajv = new Ajv2020({allErrors: true, strict: false})
  ajv.addFormat('uuid', validate)
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))

  before(async () => {
    const documents = [
      siteDocument({reportCalls: true}),
      toolDocument({
        title: 'Find products',
        outputSchema: '{"type": "object", "properties": {}}',
        annotations: {debugging: true},
      }),
      formToolDocument({pagePath: '/**', fields: [{name: 'email', title: 'Email', description: 'Yours.'}]}),
    ]
    house = await startPreviewHouse(documents, {SANITY_WEBHOOK_SECRET: secret, METRICS_TOKEN: 'scraper'})
    strict = await startPreviewHouse(documents, {RATE_LIMIT_MAX: '1'})
    exhausted = await strict.replica()
    text = await (await fetch(`${house.serviceAddress}/openapi.json`)).text()
    document = JSON.parse(text)
    ajv.addSchema(recordOf(document), 'document')
  })
  after(async () => {
    await house.close()
    await exhausted.close()
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

  test('matches a real response of every route and status, and omits none', async () => {
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
    const webhook = '/webhooks/sanity'
    const change = {payload: {_id: 'search', _rev: 'announced'}}
    const delivery = await requestOf(change)
    const drafts = '/api/sites/{publicId}/preview'
    const opened = `${drafts}/opened`
    const visits = '/api/sites/{publicId}/visits'
    const visited = '/api/sites/shop-public/visits'
    const calls = '/api/sites/{publicId}/calls'
    const called = '/api/sites/shop-public/calls'
    const report = (rows: unknown): RequestInit => ({method: 'POST', body: JSON.stringify({calls: rows})})
    const draftModule = '/api/sites/{publicId}/preview/scripts/{ticket}/{toolId}/{revision}.js'
    const token = await tokenFor(house)
    const {members} = await bodyOf(preview(house, token))
    const draftPath = `/${Object.values(recordOf(members.modules))[0]}`
    const malformed = draftPath.replace('shop-public', 'shop')
    const pageWith = (given: string, headers = {}) => ({
      headers: {origin: PAGE, authorization: `Bearer ${given}`, ...headers},
    })
    const start = (given: unknown): RequestInit => ({
      method: 'POST',
      headers: {origin: PAGE, 'content-type': 'application/json'},
      body: JSON.stringify({code: given}),
    })
    const page = '/api/sites/shop-public/preview'
    for (let number = 0; number < 10; number++) await preview(exhausted, token)
    const rows: [url: string, status: number, path: string, init?: RequestInit, replica?: Replica][] = [
      [drafts, 200, page, start(await codeFor(house))],
      [drafts, 400, page, start(1)],
      [drafts, 401, page, start('guessed')],
      [drafts, 404, '/api/sites/shop/preview', start('guessed')],
      [drafts, 200, `${page}?path=/`, pageWith(token)],
      [drafts, 304, `${page}?path=/`, pageWith(token, any.headers)],
      [drafts, 400, page, pageWith(token)],
      [drafts, 401, `${page}?path=/`, pageWith('guessed')],
      [drafts, 404, '/api/sites/shop/preview?path=/', pageWith(token)],
      [opened, 200, `${page}/opened`, pageWith(await codeFor(house))],
      [opened, 401, `${page}/opened`, pageWith('guessed')],
      [opened, 404, '/api/sites/shop/preview/opened', pageWith('guessed')],
      [draftModule, 200, draftPath],
      [draftModule, 401, draftPath.replace('shop-public', 'other-shop')],
      [draftModule, 404, malformed],
      [drafts, 500, page, start('guessed'), strict],
      [drafts, 500, `${page}?path=/`, pageWith(token), strict],
      [opened, 500, `${page}/opened`, pageWith('guessed'), strict],
      [draftModule, 500, draftPath, {}, strict],
      [drafts, 429, page, start('guessed'), exhausted],
      [drafts, 429, `${page}?path=/`, pageWith(token), exhausted],
      [opened, 429, `${page}/opened`, pageWith(token), exhausted],
      [draftModule, 429, draftPath, {}, exhausted],
      [config, 200, '/api/sites/shop-public/config?path=/a&more=1', {headers: {origin: PAGE}}],
      [config, 304, '/api/sites/shop-public/config', any],
      [visits, 200, visited, pageWith(await reportsCodeFor(house))],
      [visits, 401, visited, pageWith('guessed')],
      [visits, 404, '/api/sites/shop/visits', pageWith('guessed')],
      [visits, 500, visited, pageWith('guessed'), strict],
      [visits, 429, visited, pageWith('guessed'), exhausted],
      [calls, 204, called, report([['searchProducts', 'ok', 0, 1]])],
      [calls, 400, called, report('')],
      [calls, 404, '/api/sites/no-such-site/calls', report([])],
      [calls, 200, called, pageWith(await reportsCodeFor(house))],
      [calls, 400, `${called}?days=0`, pageWith(await reportsCodeFor(house))],
      [calls, 401, called, pageWith('guessed')],
      [calls, 404, '/api/sites/shop/calls', pageWith('guessed')],
      [calls, 500, called, pageWith('guessed'), strict],
      [calls, 429, called, pageWith('guessed'), exhausted],
      [config, 400, '/api/sites/shop-public/config?path=/a&path=/b'],
      [config, 404, '/api/sites/no-such-site/config'],
      [module, 200, moduleOf('shop-public')],
      [module, 304, moduleOf('shop-public'), any],
      [module, 404, moduleOf('no-such-site')],
      ['/snippet.js', 200, '/snippet.js'],
      ['/snippet.js', 304, '/snippet.js', any],
      ['/snippet.calls.js', 200, '/snippet.calls.js'],
      ['/snippet.calls.js', 304, '/snippet.calls.js', any],
      ['/snippet.ask.js', 200, '/snippet.ask.js'],
      ['/snippet.conditions.js', 200, '/snippet.conditions.js'],
      ['/snippet.conditions.js', 304, '/snippet.conditions.js', any],
      ['/snippet.ask.js', 304, '/snippet.ask.js', any],
      ['/snippet.report.js', 200, '/snippet.report.js'],
      ['/snippet.report.js', 304, '/snippet.report.js', any],
      ['/snippet.make.js', 200, '/snippet.make.js'],
      ['/snippet.make.js', 304, '/snippet.make.js', any],
      ['/snippet.trial.js', 200, '/snippet.trial.js'],
      ['/snippet.trial.js', 304, '/snippet.trial.js', any],
      ['/snippet.tests.js', 200, '/snippet.tests.js'],
      ['/snippet.tests.js', 304, '/snippet.tests.js', any],
      ['/preview.js', 200, '/preview.js'],
      ['/preview.js', 304, '/preview.js', any],
      ['/third-party.txt', 200, '/third-party.txt'],
      ['/third-party.txt', 304, '/third-party.txt', any],
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
      [webhook, 200, webhook, delivery],
      [webhook, 409, webhook, delivery],
      [webhook, 400, webhook, await requestOf({payload: {}})],
      [webhook, 401, webhook, await requestOf({...change, signedWith: 'guessed'})],
      [webhook, 422, webhook, await requestOf({...change, headers: {'sanity-dataset': 'other'}})],
      // The order matters: the first is the one request that the limit allows.
      [config, 500, '/api/sites/shop-public/config', {}, strict],
      [config, 429, '/api/sites/shop-public/config', {}, strict],
      [calls, 500, called, report([]), strict],
      [calls, 429, called, report([]), strict],
      [module, 500, moduleOf('other-shop'), {}, strict],
      [module, 429, moduleOf('other-shop'), {}, strict],
      [webhook, 404, webhook, delivery, strict],
      [webhook, 429, webhook, delivery, strict],
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
