import assert from 'node:assert/strict'
import {fork} from 'node:child_process'
import {once} from 'node:events'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {recordOf} from '../../../support/answers.ts'
import {askFrom, connectFrom} from '../../../support/client.ts'
import {queryPath, token} from '../../support/app.ts'

const program = fileURLToPath(new URL('../../support/processes/largeLake.ts', import.meta.url))
const MEGABYTE = 2 ** 20

test('50 unread responses of 8 MB take bounded memory, and another client still gets one', async (t) => {
  const lake = fork(program, {execArgv: ['--max-old-space-size=560']})
  t.after(() => lake.kill('SIGKILL'))
  const hear = async (name: string): Promise<unknown> => {
    const [message]: unknown[] = await once(lake, 'message')
    return recordOf(message)[name]
  }
  const address = String(await hear('address'))
  const readKept = async () => {
    lake.send('kept')
    return Number(await hear('kept')) / MEGABYTE
  }
  const url = `${address}/v2025-02-19${queryPath('*[_id == "large"][0].text')}`
  const headers = {authorization: `Bearer ${token}`}
  const {pathname, search} = new URL(url)
  const request = `GET ${pathname}${search} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${headers.authorization}\r\n\r\n`

  const before = await readKept()
  let highest = before
  for (let asked = 0; asked < 50; asked++) {
    const socket = await connectFrom(`127.0.0.${2 + (asked % 5)}`, address)
    t.after(() => socket.destroy())
    socket.pause().write(request)
    if (asked % 10 === 9) highest = Math.max(highest, await readKept())
  }
  const neighbour = await askFrom('127.0.0.9', url, {headers})
  assert.equal(neighbour.status, 200)
  assert.ok(neighbour.body.length > 8 * MEGABYTE)
  highest = Math.max(highest, await readKept())
  t.diagnostic(`${before} MB before, ${highest} MB at most`)
  // 128 MB of unsent responses, and those that are in progress. All of them would be 400 MB.
  assert.ok(highest - before < 256, `${highest - before} MB more than before`)
  assert.equal(lake.exitCode, null)
})
