import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isSecret, looksRandom, secretKindOf} from '../../../../schemas/rules/names/secrets.ts'

const SECRET =
  `password Password newPassword password2 password_confirmation user[password] login[password] customer[password]
  pwd pass passwd edit[pass] user_pass pass1 pin otp cvv cvc CVV2 card_number cardNumber card[number] iban credit-card
  PHPSESSID JSESSIONID ASPSESSIONIDQQACRTTB aspsessionidabcdefgh CFTOKEN sessid ASP.NET_SessionId connect.sid refresh_token access_token id_token token bearer x-api-key
  apiKey api_key APIKEY apikey subscription-key Ocp-Apim-Subscription-Key X-Amz-Signature X-Amz-Credential X-CSRF-Token csrfmiddlewaretoken
  authenticity_token __RequestVerificationToken form_key _wpnonce client_secret variables.input.password sig smsCode
  one-time-code mfa_code auth.key security_code key hash session auth`.split(/\s+/)

const ORDINARY =
  `keyword author monkey shipping hashtag discard passenger compass passport bypass spinner opinion wildcard
  cardinal tokens maxTokens pageToken next_page_token sortKey authority authors secretary signatureDish secretSanta
  assignment design token_type passwordHint sessions sessionTitle boardingPass country_code postcode discountCode
  pinned mapping hotkey turkey keys accessories q city toppings expand`.split(/\s+/)

for (const name of SECRET) test(`“${name}” is the name of a secret`, () => assert.ok(secretKindOf(name)))
for (const name of ORDINARY)
  test(`“${name}” is no name of a secret`, () => assert.equal(secretKindOf(name), undefined))

const RANDOM = [
  'd41d8cd98f00b204e9800998ecf8427e',
  '9f86d081884c7d659a2feaa0c55ad015',
  'q8Zr61jfPLmN02xWk4Vt',
  'k3y9f8a7b6c5d4e3zz12',
  'eyJhbGci.e30.sig',
  'aGVsbG8gd29ybGQgMTIzNDU2Nzg5MA==',
  '0b2f1a52-8a3c-4f0e-9d11-6a2f4c1b7e90',
]
const WRITTEN = [
  'mooring-rope-classic-2024-edition',
  'getBookAvailability2024V2',
  '2026-12-01T10-00-00-000Z',
  'application/x-www-form-urlencoded',
  'Ada Lovelace, London 1815',
  'ROPES_AND_KNOTS_COLLECTION',
  '12345678901234567890',
]

for (const text of RANDOM) test(`“${text}” looks random`, () => assert.ok(looksRandom(text)))
for (const text of WRITTEN) test(`“${text}” does not look random`, () => assert.ok(!looksRandom(text)))

test('a secret is found by its value, in groups and in JSON too, and ids are none', () => {
  assert.ok(isSecret('state', RANDOM[0]))
  assert.ok(isSecret('number', '4111 1111 1111 1111'))
  assert.ok(isSecret('variables', '{"input": {"log": "ada", "pwd": "hunter2"}}'))
  assert.ok(isSecret('sessionId', RANDOM[6]))
  for (const [name, value] of [
    ['productId', '507f1f77bcf86cd799439011'],
    ['id', RANDOM[6]],
    ['sessionId', '42'],
    ['number', '4111111111111112'],
    ['city', 'Kiel'],
  ] as const)
    assert.ok(!isSecret(name, value), name)
})
