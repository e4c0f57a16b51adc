import assert from 'node:assert/strict'
import {test} from 'node:test'
import {loadFile} from '../../../studio/inputs/actions/openApi/loadFile.ts'

const ADDRESS = 'https://api.example.com/openapi.json'

const NEVER = new AbortController().signal

const problemOf = async (send: typeof fetch, address = ADDRESS, signal = NEVER) => {
  const loaded = await loadFile(address, {send, signal})
  return loaded.ok ? undefined : loaded.problem
}

test('a file is loaded by its address, without credentials', async () => {
  const sent: unknown[] = []
  const loaded = await loadFile(` ${ADDRESS} `, {
    signal: NEVER,
    send: async (input, {signal, ...init} = {}) => {
      sent.push(input, init)
      return new Response('{"openapi": "3.1.0", "info": {"title": "Bücherei"}}')
    },
  })
  assert.deepEqual(loaded, {ok: true, value: '{"openapi": "3.1.0", "info": {"title": "Bücherei"}}'})
  assert.deepEqual(sent, [ADDRESS, {credentials: 'omit', referrerPolicy: 'no-referrer'}])
  assert.deepEqual(await loadFile(ADDRESS, {signal: NEVER, send: async () => new Response(null)}), {
    ok: true,
    value: '',
  })
})

test('what cannot be loaded says why, and what to do', async () => {
  const never = () => assert.fail('nothing is requested')
  for (const address of ['', 'openapi.json', 'file:///etc/passwd', 'javascript:alert(1)', 'data:,x'])
    assert.match((await problemOf(never, address)) ?? '', /Write the address of the file/)
  assert.equal(
    await problemOf(async () => new Response('', {status: 404})),
    'api.example.com responded with status 404: check the address. Download the file, and choose it here instead.',
  )
  assert.match(
    (await problemOf(() => Promise.reject(new TypeError('Failed to fetch')))) ?? '',
    /^api\.example\.com does not allow other websites .* choose it here instead\.$/,
  )
})

test('a website that does not send the file in time is not waited for', async () => {
  const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
  const problem = await problemOf(() => Promise.reject(signal.reason), ADDRESS, signal)
  assert.match(problem ?? '', /did not send the file within 20 seconds/)
})
