import assert from 'node:assert/strict'
import {test} from 'node:test'
import Fastify from 'fastify'
import {listen} from '../../../common/http/listen.ts'

const options = {port: 0, portName: 'LAKE_PORT', describe: (address: string) => address}

test('an IPv6 host may have brackets, as in a URL', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  assert.match(await listen(app, {...options, host: '[::1]'}), /^http:\/\/\[::1\]:\d+$/)
})

test('a host that does not exist is named with its variable', async () => {
  const listening = listen(Fastify(), {...options, host: 'no-such-host.invalid'})
  await assert.rejects(listening, /Cannot listen on no-such-host\.invalid:0 \(\w+\): see LAKE_HOST\./)
})
