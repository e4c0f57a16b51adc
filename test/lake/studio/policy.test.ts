import assert from 'node:assert/strict'
import {test} from 'node:test'
import {contentSecurityPolicy} from '../../../lake/studio/pages.ts'

const connections = (host: string | undefined) => {
  const policy = contentSecurityPolicy('<script>start()</script>', host, ['https://shop.example'])
  return policy.split('; ').find((directive) => directive.startsWith('connect-src'))
}

for (const host of ['localhost:3333', 'studio.example', '[::1]:3333'])
  test(`Studio at ${host} may open a WebSocket to itself`, () => {
    assert.equal(connections(host), `connect-src 'self' ws://${host} wss://${host} https://shop.example`)
  })

for (const host of [undefined, '', "a; script-src 'unsafe-inline'", 'a *', 'a:1;b', 'a\tb'])
  test(`the Host header ${JSON.stringify(host)} adds nothing to the policy`, () => {
    assert.equal(connections(host), "connect-src 'self' https://shop.example")
    assert.equal(contentSecurityPolicy('', host, []), contentSecurityPolicy('', undefined, []))
  })
