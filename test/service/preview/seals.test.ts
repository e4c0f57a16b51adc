import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isSealed, parseSealed, seal} from '../../../service/preview/seals.ts'

const SECRET = 'a-secret-that-is-long-enough'
const SIGNER = {id: 'efca47f4-08f8-4476-ba95-4a2560f25c7b', secret: SECRET}
const ORIGIN = {origin: 'https://shop.example:8443'}
const SCRIPT = {toolId: '3ae206e4-d2a1-50ae-beae-cc1b57813ed3', revision: '88f3947c'.repeat(8)}

const token = seal(SIGNER, 'shop-public', ORIGIN)
const ticket = seal(SIGNER, 'shop-public', SCRIPT)

/** Every text that differs from this one in one character. */
function alterations(text: string): string[] {
  return [...text].map(
    (character, at) => `${text.slice(0, at)}${character === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`,
  )
}

function isValidToken(text: string, secret = SECRET, publicId = 'shop-public'): boolean {
  const parsed = parseSealed(text)
  return parsed !== undefined && isSealed({...SIGNER, secret}, publicId, {origin: parsed.origin}, parsed)
}

function isValidTicket(text: string, script = SCRIPT, secret = SECRET, publicId = 'shop-public'): boolean {
  const parsed = parseSealed(text)
  return parsed !== undefined && isSealed({...SIGNER, secret}, publicId, script, parsed)
}

test('a token says what it was made with, and is valid with its secret and site only', () => {
  assert.deepEqual(parseSealed(token), {secretId: SIGNER.id, ...ORIGIN, seal: token.split('.').at(-1)})
  assert.ok(isValidToken(token))
  assert.ok(!isValidToken(token, `${SECRET}.`))
  assert.ok(!isValidToken(token, SECRET, 'shop-publi'))
})

test('a token or ticket with one altered character is not valid', () => {
  for (const altered of alterations(token)) assert.ok(!isValidToken(altered), altered)
  for (const altered of alterations(ticket)) assert.ok(!isValidTicket(altered), altered)
})

test('a ticket is valid for one script of one site only', () => {
  assert.deepEqual(parseSealed(ticket), {secretId: SIGNER.id, origin: '', seal: ticket.split('.').at(-1)})
  assert.ok(isValidTicket(ticket))
  assert.ok(!isValidTicket(ticket, {...SCRIPT, toolId: SIGNER.id}))
  assert.ok(!isValidTicket(ticket, {...SCRIPT, revision: 'other'}))
  assert.ok(!isValidTicket(ticket, SCRIPT, `${SECRET}.`))
  assert.ok(!isValidTicket(ticket, SCRIPT, SECRET, 'other-shop'))
})

test('a ticket is not valid as a token, nor a token as a ticket', () => {
  assert.ok(!isValidToken(ticket))
  assert.ok(!isValidTicket(token))
})

test('what is not a token is refused without an error', () => {
  for (const text of [
    '',
    '.',
    '...',
    'a.b.c.d',
    `${token}.`,
    ` ${token}`,
    `${token}\n`,
    'é'.repeat(100),
    token.repeat(9),
  ])
    assert.equal(parseSealed(text), undefined, text)
})

test('a ticket fits into the parameter of a route', () => {
  const [id, seal] = ticket.split('.')
  assert.ok(`${'a'.repeat(40)}.${seal}`.length <= 100, 'Fastify accepts 100 characters')
  assert.equal(id, SIGNER.id)
})
