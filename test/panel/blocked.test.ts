import assert from 'node:assert/strict'
import {test} from 'node:test'
import {blockedBy} from '../../panel/blocked.ts'

const BASE = 'https://tools.example/'

const CASES: [policy: string, effectiveDirective: string, line: string, isListed: boolean][] = [
  ["connect-src 'self'", 'connect-src', "connect-src 'self' https://tools.example", true],
  ["default-src 'none'; connect-src 'none'", 'connect-src', 'connect-src https://tools.example', true],
  ["default-src 'self' data:", 'connect-src', "connect-src 'self' data: https://tools.example", false],
  [
    "default-src 'self' 'nonce-a' 'unsafe-inline'",
    'connect-src',
    "connect-src 'self' https://tools.example",
    false,
  ],
  ["script-src 'nonce-a'", 'script-src-elem', "script-src 'nonce-…' https://tools.example", true],
  ["default-src 'none'", 'connect-src', 'connect-src https://tools.example', false],
  [
    "script-src 'self' https://tools.example/snippet.js ;",
    'script-src-elem',
    "script-src 'self' https://tools.example/snippet.js https://tools.example",
    true,
  ],
  [
    "Script-Src 'none'; script-src-elem https://a.example; script-src-elem *",
    'script-src-elem',
    'script-src-elem https://a.example https://tools.example',
    true,
  ],
  ["default-src 'self'", 'script-src-elem', "script-src 'self' https://tools.example", false],
]

for (const [originalPolicy, effectiveDirective, line, isListed] of CASES)
  test(`the policy ${originalPolicy} needs: ${line}`, () => {
    const blockedURI = `${BASE}api/sites/shop/config`
    const violation = {originalPolicy, effectiveDirective, blockedURI, disposition: 'enforce'} as const
    const [directive] = line.split(' ')
    assert.deepEqual(blockedBy(violation, BASE), {url: blockedURI, directive, line, isListed})
  })

test('what is only reported, and what is not for the service, is ignored', () => {
  const violation = {
    originalPolicy: "connect-src 'self'",
    effectiveDirective: 'connect-src',
    blockedURI: `${BASE}api/sites/shop/config`,
    disposition: 'enforce',
  } as const
  assert.notEqual(blockedBy(violation, BASE), undefined)
  assert.equal(blockedBy({...violation, disposition: 'report'}, BASE), undefined)
  for (const blockedURI of ['eval', 'trusted-types-policy', 'https://tools.example.evil/', 'data'])
    assert.equal(blockedBy({...violation, blockedURI}, BASE), undefined)
})
