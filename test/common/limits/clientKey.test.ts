import assert from 'node:assert/strict'
import {test} from 'node:test'
import {clientKey} from '../../../common/limits/clientKey.ts'

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
