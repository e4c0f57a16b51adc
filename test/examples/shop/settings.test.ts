import assert from 'node:assert/strict'
import {test} from 'node:test'
import {readShopSettings} from '../../../examples/shop/settings.ts'

test('the shop listens at this machine on 3001 unless told otherwise; an empty variable is none', () => {
  assert.deepEqual(readShopSettings({}), {host: '127.0.0.1', port: 3001})
  assert.deepEqual(readShopSettings({SHOP_HOST: '', SHOP_PORT: ''}), {host: '127.0.0.1', port: 3001})
  assert.deepEqual(readShopSettings({SHOP_HOST: '::1', SHOP_PORT: '0'}), {host: '::1', port: 0})
})

for (const text of ['65536', '-1', '80a', '1e3', ' 80']) {
  test(`SHOP_PORT "${text}" is refused by its name`, () => {
    assert.throws(() => readShopSettings({SHOP_PORT: text}), {
      message: `Settings not understood. SHOP_PORT: "${text}" is not a port, 0 to 65535.`,
    })
  })
}
