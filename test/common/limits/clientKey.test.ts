import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import fc from 'fast-check'
import fastify from 'fastify'
import {clientKey, trustOf} from '../../../common/limits/clientKey.ts'
import {runs} from '../../runner/runs.ts'

test('an IPv4 address is one client in every notation', () => {
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107', '203.0.113.7:51234'])
    assert.equal(clientKey(address), '203.0.113.7')
  assert.notEqual(clientKey('203.0.113.8'), '203.0.113.7')
})

test('an IPv6 client is identified by its /64 network, not by the 64 bits that it can choose', () => {
  const network = clientKey('2001:db8:1:2:3:4:5:6')
  for (const address of ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff::', '[2001:db8:1:2::9]:443'])
    assert.equal(clientKey(address), network)
  assert.notEqual(clientKey('2001:db8:1:3:3:4:5:6'), network)
})

test('anything that is not an address is one anonymous client', () => {
  for (const text of [undefined, '', 'unknown', '_hidden', '1.2.3', '300.1.1.1:80', `${'9'.repeat(9_000)}`])
    assert.equal(clientKey(text), '')
})

/** An address as proxies write it. */
function written(address: string): fc.Arbitrary<string> {
  const forms = address.includes(':')
    ? [address, `[${address}]`, `[${address}]:5001`, `${address}%eth0`, `[${address}%eth0]:80`]
    : [address, `${address}:5001`, `::ffff:${address}`, `[::ffff:${address}]:443`]
  return fc.constantFrom(...forms)
}

const client = fc.oneof(
  fc.nat(255).map((last) => `203.0.113.${last}`),
  fc.nat(65_535).map((part) => `2001:db8:1:${part.toString(16)}::9`),
)
const proxy = fc.oneof(
  fc.nat(255).map((last) => `10.0.0.${last}`),
  fc.nat(65_535).map((part) => `fd00::${part.toString(16)}`),
)

/** Returns the key of the client of a request with this header, as a server finds it. */
function serverBehind(t: TestContext, ...proxies: readonly string[]): (forwarded: string) => Promise<string> {
  const app = fastify({trustProxy: trustOf(proxies)})
  app.get('/', async ({ip}) => clientKey(ip))
  t.after(() => app.close())
  return async (forwarded) => (await app.inject({url: '/', headers: {'x-forwarded-for': forwarded}})).body
}

test('the client in front of a chain of trusted proxies is found in every notation, and whatever it says itself', async (t) => {
  const keyOf = serverBehind(t, '10.0.0.0/8', 'fd00::/8', 'loopback')
  const property = fc.asyncProperty(
    fc.array(fc.oneof(fc.string({maxLength: 50}), client), {maxLength: 3}),
    client.chain((address) => fc.tuple(fc.constant(address), written(address))),
    fc.array(proxy.chain(written), {maxLength: 4}),
    async (forged, [address, form], proxies) => {
      assert.equal(await keyOf([...forged, form, ...proxies].join(', ')), clientKey(address))
    },
  )
  await fc.assert(property, {numRuns: runs(5_000)})
})

test('no text in X-Forwarded-For is an error, or a key of its own', async (t) => {
  const keyOf = serverBehind(t, 'loopback')
  const property = fc.asyncProperty(
    fc.string({unit: fc.constantFrom(...'[]%:,. f1029;="_\té😀')}),
    async (text) => {
      assert.match(await keyOf(text), /^[\da-f.:/]{0,45}$/)
    },
  )
  await fc.assert(property, {numRuns: runs(5_000)})
})
