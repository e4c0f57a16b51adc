import assert from 'node:assert/strict'
import {IncomingMessage} from 'node:http'
import {Socket} from 'node:net'
import {test} from 'node:test'
import fc from 'fast-check'
import {pino} from 'pino'
import {clientKey} from '../../../common/limits/clientKey.ts'
import {clientsBehind} from '../../../service/limits/clients.ts'
import {runs} from '../../runner/runs.ts'

const clientOf = clientsBehind(['loopback', '10.0.0.0/8', 'fc00::/7', 'fe80::/10'], pino({level: 'silent'}))

/** A request that a proxy on this machine passes on. */
function forwarded(...chain: string[]): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', {value: '127.0.0.1'})
  const request = new IncomingMessage(socket)
  request.headers['x-forwarded-for'] = chain.join(', ')
  return request
}

test('ports, brackets and zones in X-Forwarded-For change nothing', () => {
  for (const [chain, client] of [
    [['198.51.100.1:5001', '10.0.0.4:6001'], '198.51.100.1'],
    [['198.51.100.1', '10.0.0.4:6001', '10.0.0.5'], '198.51.100.1'],
    [['[2001:db8:ffff::4]:6001', '[fd00::1]:80'], '2001:db8:ffff::4'],
    [['[2001:db8:ffff::4]', 'fe80::1%eth0'], '2001:db8:ffff::4'],
    [['1.2.3.4', '198.51.100.1:5001', '[fe80::1%eth0]:443'], '198.51.100.1'],
    [['::ffff:198.51.100.1', '::ffff:10.1.2.3'], '198.51.100.1'],
  ] as const)
    assert.equal(clientOf(forwarded(...chain)), clientKey(client), chain.join())
})

test('the last address that is not a proxy is the client, in any notation', () => {
  const v4 = fc
    .tuple(fc.integer({min: 11, max: 126}), fc.ipV4())
    .map(([first, rest]) => rest.replace(/^\d+/, `${first}`))
  const v6 = fc.ipV6().map((address) => address.replace(/^[^:]*:/, '2001:'))
  const proxy = fc.constantFrom('127.0.0.1', '10.0.0.4', '10.255.1.1', 'fd00::1', 'fe80::2')
  const port = fc.option(fc.integer({min: 1, max: 65_535}), {nil: undefined})
  const written = (address: fc.Arbitrary<string>) =>
    fc.tuple(address, port, fc.boolean()).map(([text, number, hasZone]) => {
      if (!text.includes(':')) return number === undefined ? text : `${text}:${number}`
      const zoned = hasZone ? `${text}%eth0` : text
      return number === undefined ? zoned : `[${zoned}]:${number}`
    })
  fc.assert(
    fc.property(
      fc.oneof(v4, v6).chain((client) => fc.tuple(fc.constant(client), written(fc.constant(client)))),
      fc.array(written(proxy), {maxLength: 4}),
      fc.array(
        fc.string({maxLength: 20}).filter((text) => !text.includes(',')),
        {maxLength: 3},
      ),
      ([client, text], proxies, made) => {
        // What a client sends itself stands first.
        assert.equal(clientOf(forwarded(...made, text, ...proxies)), clientKey(client))
      },
    ),
    {numRuns: runs(5_000)},
  )
})
