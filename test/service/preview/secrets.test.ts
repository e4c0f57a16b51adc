import assert from 'node:assert/strict'
import {test} from 'node:test'
import {createClient} from '@sanity/client'
import {PreviewSecrets} from '../../../service/preview/secrets.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')

/** Finds the only secret of a site, which upstream dates like this. */
async function secretDated(date: string) {
  const [secret, code] = ['s'.repeat(40), 'c'.repeat(40)]
  const document = {_id: 'drafts.a', _createdAt: '2026-11-25T10:00:00Z', _updatedAt: date, secret, code}
  const client = createClient({
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2025-02-19',
    useCdn: false,
    useProjectHostname: false,
    apiHost: 'http://127.0.0.1:1',
    resolveFetch: () => async () => Response.json({result: [document]}),
  })
  const found = await new PreviewSecrets(client, () => NOW).find('shop', () => true)
  return found && new Date(found.expiresAt).toISOString()
}

test('a secret expires an hour after its date', async () => {
  assert.equal(await secretDated('2026-11-25T11:30:00Z'), '2026-11-25T12:30:00.000Z')
})

test('a secret from the future does not work, except for clocks that differ by minutes', async () => {
  assert.equal(await secretDated('9999-01-01T00:00:00Z'), undefined)
  assert.equal(await secretDated('2026-11-25T12:05:01Z'), undefined)
  assert.equal(await secretDated('2026-11-25T12:04:00Z'), '2026-11-25T13:04:00.000Z')
})
