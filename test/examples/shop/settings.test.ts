import assert from 'node:assert/strict'
import {test} from 'node:test'
import {readShopSettings} from '../../../examples/shop/settings.ts'

test('the shop listens on this machine on port 3001 by default; an empty variable counts as unset', () => {
  assert.deepEqual(readShopSettings({}), {host: '127.0.0.1', port: 3001})
  assert.deepEqual(readShopSettings({SHOP_HOST: '', SHOP_PORT: ''}), {host: '127.0.0.1', port: 3001})
  assert.deepEqual(readShopSettings({SHOP_HOST: '::1', SHOP_PORT: '0'}), {host: '::1', port: 0})
})

for (const text of ['65536', '-1', '80a', '1e3', ' 80']) {
  test(`SHOP_PORT "${text}" is refused by name`, () => {
    assert.throws(() => readShopSettings({SHOP_PORT: text}), {
      message: `Invalid configuration: SHOP_PORT: "${text}" is not a port number, 0 to 65535.`,
    })
  })
}
