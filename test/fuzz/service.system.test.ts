import assert from 'node:assert/strict'
import {randomUUID} from 'node:crypto'
import {test} from 'node:test'
import {encodeSignatureHeader} from '@sanity/webhook'
import {isJsonObject} from '../../common/json.ts'
import {isErrorCode} from '../../service/errors.ts'
import {createSecret} from '../../studio/preview/secrets.ts'
import {recordOf} from '../support/answers.ts'
import {askFrom} from '../support/client.ts'
import type {ContentDocument} from '../support/content.ts'
import {runHouse} from '../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../support/shop.ts'
import {type FuzzResponse, fuzz} from './fuzz.ts'
import {PUBLIC_IDS, serviceRequest} from './generators/serviceRequests.ts'

const SANITY_SECRET = 'a-secret-that-only-Sanity-knows'

/** Patterns that are as hard to match as the rules accept. */
const PATTERNS = [
  ...['/**', '/products/**', '/a*/**', '/{a,b}/{c,d}', '/**/-'],
  ...['/*-', '/{*,-}/**', '/{a,{b,ab}}*', '/é/*', '/😀'],
]

const documents: ContentDocument[] = [
  siteDocument({reportCalls: true}),
  toolDocument(),
  formToolDocument(),
  siteDocument({_id: 'globs', publicId: 'globs-public', name: 'Globs'}),
  ...PATTERNS.map((pathPattern, number) =>
    toolDocument({
      _id: `glob-${number}`,
      site: {_ref: 'globs', _type: 'reference'},
      name: `tool${number}`,
      pathPattern,
    }),
  ),
]

/** `{"error": {"code", "message"}}`, which any origin may read and no cache keeps (docs/errors.md). */
function isServiceError({headers}: FuzzResponse, body: unknown): boolean {
  if (headers['access-control-allow-origin'] !== '*' || headers['cache-control'] !== 'no-store') return false
  if (!isJsonObject(body) || !isJsonObject(body.error)) return false
  const {code, message} = body.error
  return typeof code === 'string' && isErrorCode(code) && typeof message === 'string'
}

const VISITOR = '127.0.9.7'

test('no request crashes, blocks or corrupts the service, and known sites get their configs', async (t) => {
  const {client, serviceAddress, lines} = await runHouse(t, documents, {
    SANITY_WEBHOOK_SECRET: SANITY_SECRET,
    // What requests say of their clients is read.
    TRUSTED_PROXIES: 'loopback',
  })
  // A preview as Studio and a page start it.
  const origin = 'https://shop.example'
  const [publicId] = PUBLIC_IDS
  const {code} = await createSecret(client, {publicId, userId: 'editor'}, 'https://studio.example')
  const preview = await askFrom(VISITOR, `${serviceAddress}/api/sites/${publicId}/preview`, {
    method: 'POST',
    headers: {origin, 'content-type': 'application/json'},
    body: JSON.stringify({code}),
  })
  const page = {origin, authorization: `Bearer ${recordOf(JSON.parse(preview.body)).token}`}
  const target = {
    address: serviceAddress,
    requests: serviceRequest,
    lines,
    isError: isServiceError,
    async credentials(role: string, body: string): Promise<Record<string, string>> {
      if (role === 'previewer') return page
      if (role !== 'sanity' || body === '') return {}
      return {
        'sanity-webhook-signature': await encodeSignatureHeader(body, Date.now(), SANITY_SECRET),
        'idempotency-key': randomUUID(),
        'sanity-project-id': 'local',
        'sanity-dataset': 'production',
        'sanity-operation': 'update',
      }
    },
    async meanwhile() {
      for (const known of PUBLIC_IDS) {
        const url = `${serviceAddress}/api/sites/${known}/config?path=/products/7`
        const {status, body} = await askFrom(VISITOR, url)
        assert.equal(status, 200, body)
        const {tools, siteId} = recordOf(JSON.parse(body))
        assert.ok(Array.isArray(tools) && tools.length > 0 && typeof siteId === 'string', body)
      }
    },
  }
  await fuzz(target, {seed: 20_260_102, batches: 400})
})
