import assert from 'node:assert/strict'
import test from 'node:test'
import {Bodies} from '../../../service/encodings/bodies.ts'
import {configAnswer} from '../../../service/http/configAnswer.ts'
import {configFor} from '../../../service/site/answer.ts'
import {timesOf} from '../../../service/site/times.ts'
import {compileSite} from '../support/compile.ts'
import {toolOf} from '../support/entries.ts'

const at = (time: string) => Date.parse(time)
const hours = (from: string, until: string) => ({from: at(from), until: at(until)})

test('a site without times has none, and asks no clock', async () => {
  assert.equal(timesOf([{}, {}]), undefined)
  const site = await siteOf({})
  configFor(site, '/', () => assert.fail('the clock was read'))
})

const PERIODS: [name: string, from: string, until: string][] = [
  ['a night in which clocks in Europe go forward', '2027-03-28T00:30:00Z', '2027-03-28T01:30:00Z'],
  ['a night in which clocks in Europe go back', '2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z'],
  ['a leap day', '2028-02-29T00:00:00Z', '2028-03-01T00:00:00Z'],
]
for (const [name, from, until] of PERIODS) {
  test(`a tool is there from its first millisecond to its last: ${name}`, () => {
    const times = timesOf([{}, hours(from, until)])
    assert.ok(times)
    const isThere = (now: number) => !times.at(now).absent.has(1)
    // In any order, because a clock may be set forward and back.
    assert.deepEqual(
      [at(from) - 1, at(from), at(until) - 1, at(until), at(from) - 1, at(until) - 1].map(isThere),
      [false, true, true, false, false, true],
    )
    assert.equal(times.at(at(from)).absent.has(0), false)
  })
}

test('the tools between two changes are worked out once', () => {
  assert.equal(String(timesOf([{until: 2}, {until: 1}])?.endsOf([0, 1])), '1,1,0,2')
  const times = timesOf(Array.from({length: 200}, (_, n) => ({from: n * 1_000, until: n * 1_000 + 500})))
  assert.ok(times)
  assert.equal(times.at(7_000), times.at(7_499))
  assert.notEqual(times.at(7_499), times.at(7_500))
  assert.equal(times.at(7_000).absent.size, 199)
})

const FROM = '2026-12-01T00:00:00Z'
const UNTIL = '2026-12-24T18:00:00Z'
const ON_SALE = {offeredWhile: {from: FROM, until: UNTIL}}

function siteOf(fields: object, formFields: object = {}) {
  const form = {_id: 'form', _rev: '1', name: 'writeToUs', description: 'Writes to us.', selector: 'form'}
  return compileSite({
    _id: 'site',
    _rev: '1',
    publicId: 'shop-public',
    enabled: null,
    pollInterval: 300,
    tools: [toolOf(0, {pathPattern: '/**'}), {...toolOf(1, {pathPattern: '/**'}), ...fields}],
    formTools: [{...form, pagePath: '/**', ...formFields}],
  })
}

test('a tool outside of its time is not in the answer, and the tag follows', async () => {
  const site = await siteOf(ON_SALE, {offeredWhile: {until: UNTIL}})
  for (const path of ['/', undefined]) {
    const read = (now: number) => configFor(site, path, () => now)
    const [early, during, late] = [at(FROM) - 1, at(FROM), at(UNTIL)].map(read)
    const names = [early, during, late].map((config) => config?.documentIds().join())
    assert.deepEqual(names, ['tool-0,form', 'tool-0,tool-1,form', 'tool-0'])
    assert.equal(new Set([early, during, late].map((config) => config?.entityTag)).size, 3)
    assert.equal(read(at(FROM) - 1), early)
  }
})

test('no cache keeps an answer until after a tool comes or goes', async () => {
  const site = await siteOf(ON_SALE)
  const maxAge = (now: number, known = site, systemClock = () => now) => {
    const answers = {
      bodies: new Bodies(1_000),
      metrics: {requests: {ages: {observe() {}}}},
      clock: () => now,
      systemClock,
      visits: {see() {}},
    }
    const {headers} = configAnswer(
      {publicId: 'shop', path: '/', headers: {}},
      {site: known, validatedAt: now},
      answers,
    )
    return headers[headers.indexOf('cache-control') + 1]
  }
  assert.equal(maxAge(at(UNTIL) - 61_000), 'public, max-age=60')
  assert.equal(maxAge(at(UNTIL) - 20_500), 'public, max-age=20')
  assert.equal(maxAge(at(UNTIL) - 1), 'public, max-age=1')
  let millisecond = at(UNTIL) - 2
  const passing = () => ++millisecond
  assert.equal(
    maxAge(at(UNTIL), site, passing),
    'public, max-age=1',
    'the tool goes while the answer is made',
  )
  assert.equal(maxAge(at(UNTIL)), 'public, max-age=60')
  assert.equal(maxAge(at(FROM) - 5_000), 'public, max-age=5')
  assert.equal(maxAge(at(UNTIL) - 20_500, await siteOf({})), 'public, max-age=60')
})

test('tools that the page decides about are in a member of their own, with selectors and no times', async () => {
  const has = ['.account']
  const site = await siteOf({offeredWhile: {has, hasNot: [], until: UNTIL}}, {offeredWhile: {hasNot: has}})
  const {tools, formTools, conditional} = JSON.parse(String(configFor(site, '/', () => at(FROM)).encode()))
  assert.deepEqual([tools.length, formTools], [1, []])
  assert.deepEqual(conditional.tools[0].offeredWhile, {has})
  assert.deepEqual(conditional.formTools[0].offeredWhile, {hasNot: has})
  const later = JSON.parse(String(configFor(site, '/', () => at(UNTIL)).encode()))
  assert.deepEqual(later.conditional, {tools: [], formTools: conditional.formTools})
  const changes = [at(FROM), at(UNTIL)].map((time) => {
    const {changesAt, ends} = JSON.parse(String(configFor(site, '/', () => time).encode()))
    return [changesAt, ends]
  })
  assert.deepEqual(changes, [
    [new Date(UNTIL).toISOString(), [['tool1', at(UNTIL)]]],
    [undefined, undefined],
  ])
})

test('where the page chooses the language of a tool, snippets are told to load what decides', async () => {
  const texts = [{language: 'de', description: 'Sucht.'}]
  const site = await siteOf({texts, pathPattern: '/de'}, {})
  const [translated, without] = ['/de', '/'].map((path) => JSON.parse(String(configFor(site, path).encode())))
  assert.deepEqual([translated.tools[1].texts, translated.conditional], [texts, {tools: [], formTools: []}])
  assert.equal(without.conditional, undefined)
})

test('a site without conditions has the bytes that it always had', async () => {
  const [plain, empty] = await Promise.all([
    siteOf({}),
    siteOf({offeredWhile: {has: [], from: null}, texts: []}),
  ])
  const body = String(configFor(plain, '/').encode())
  assert.equal(String(configFor(empty, '/').encode()), body)
  assert.match(body, /^\{"siteId":"[^"]+","tools":\[.*\],"formTools":\[\{.*\}\],"pollInterval":300\}$/)
})
