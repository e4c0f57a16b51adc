import assert from 'node:assert/strict'
import {createHmac} from 'node:crypto'
import {test} from 'node:test'
import {askFrom, connectFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {post, secret, workshop} from './support.ts'

const ATTACKER = '127.0.0.2'
const GIT_HOST = '127.0.0.3'
const FORGER = '127.0.0.4'

test('forged and stalled deliveries are rejected, while the Git host’s own delivery succeeds', async (t) => {
  const {lake, push, title} = await workshop(t)
  const url = `${lake.address}/webhooks/git`
  const deliver = (address: string, body: string, key: string) =>
    askFrom(address, url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
      },
      body,
    })

  // Bodies that start and then stall.
  const open = new Set<unknown>()
  for (let stalled = 0; stalled < 40; stalled++) {
    const socket = await connectFrom(ATTACKER, lake.address)
    t.after(() => socket.destroy())
    open.add(socket)
    socket.once('close', () => open.delete(socket)).resume()
    socket.write(
      'POST /webhooks/git HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n' +
        'x-hub-signature-256: sha256=00\r\ncontent-length: 5000000\r\n\r\n{',
    )
  }
  await eventually(() => open.size, 1)
  const second = await askFrom(ATTACKER, url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': 'sha256=00',
      'content-length': 4_000_000,
    },
  })
  assert.equal(second.status, 429)
  const unsigned = await askFrom(ATTACKER, url, {method: 'POST', body: '{}'})
  assert.deepEqual([unsigned.status, JSON.parse(unsigned.body).errorCode], [401, 'WEBHOOK_UNSIGNED'])

  const large = await askFrom(FORGER, url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': 'sha256=00',
      'content-length': 5 * 2 ** 20 + 1,
    },
  })
  assert.equal(large.status, 413, 'refused before a byte of the body is sent')
  const statuses: number[] = []
  for (let count = 0; count < 125; count++) statuses.push((await deliver(FORGER, '{}', 'guessed')).status)
  assert.deepEqual(new Set(statuses.slice(0, 119)), new Set([401]))
  assert.deepEqual(new Set(statuses.slice(119)), new Set([429]))

  await push({'post/a.json': post('a', 'pushed')})
  const answer = await deliver(GIT_HOST, JSON.stringify({ref: 'refs/heads/main'}), secret)
  assert.ok(answer.status === 200 || answer.status === 202, `${answer.status}: ${answer.body}`)
  await eventually(() => title('a'), 'pushed')
})
