import assert from 'node:assert/strict'
import {test} from 'node:test'
import {textOf} from '../../schemas/rules/text.ts'
import {causeOf, type Evidence, lineIn, type RequestSeen, selectorsIn} from '../../verdicts/cause.ts'
import type {FinishedCall} from '../../verdicts/judge.ts'
import {scriptOf} from '../actions/support.ts'
import {toolDocument} from '../support/shop.ts'

const GET: RequestSeen = {method: 'GET', url: '/api/products', status: 200, milliseconds: 20}
const CALL: FinishedCall = {outcome: {kind: 'error', message: 'x is null'}, milliseconds: 30}

function cause(evidence: Partial<Evidence>, call = CALL): string | undefined {
  return causeOf(call, {requests: [GET], missing: [], ...evidence})
}

test('a request that failed comes first, with its status and the beginning of the response', () => {
  const requests = [GET, {...GET, status: 404, body: '{"error":\n "gone"}'}]
  assert.equal(cause({requests, missing: ['#a']}), 'GET /api/products returned 404: {"error": "gone"}.')
  const {status: _, ...none} = GET
  assert.equal(
    cause({requests: [{...none, failure: 'net::ERR_CONNECTION_REFUSED'}]}),
    'GET /api/products failed: net::ERR_CONNECTION_REFUSED.',
  )
  assert.equal(
    cause({requests: [{...none, failure: 'csp'}]}),
    'The Content-Security-Policy of the page blocked GET /api/products.',
  )
  assert.equal(
    cause({requests: [{...GET, contentType: 'text/html; charset=utf-8', body: '<!doctype html>'}]}),
    'GET /api/products returned a web page instead of JSON: <!doctype html>.',
  )
})

test('then where the website led a request or the page', () => {
  const led = {...GET, contentType: 'text/html', body: '<!doctype html>', ledTo: '/login'}
  assert.equal(cause({requests: [led]}), 'GET /api/products led to /login, which is a web page.')
  const evidence = {hasEnded: true, missing: ['#a']}
  assert.equal(cause(evidence), 'The page was loaded again during the call, which ended it.')
  const went = {...CALL, wentTo: '/about'}
  assert.equal(cause(evidence, went), 'The page went to /about during the call, which ended it.')
})

test('then a selector that matches nothing, then the line of the script', () => {
  const line = {number: 2, text: 'return list.length'}
  assert.equal(cause({missing: ['#a'], line}), 'Nothing on the page matches “#a”, which the tool looks for.')
  assert.equal(cause({line}), 'The script failed in line 2, “return list.length”: x is null.')
  assert.equal(cause({}), undefined)
})

test('a request that fails as the test expects is no cause', () => {
  const requests = [{...GET, status: 404}]
  const fails = {kind: 'fails', member: '', value: ''} as const
  const nothing = {kind: 'equals', member: 'found', value: '0'} as const
  assert.equal(cause({requests, expect: [fails]}), undefined)
  const found: FinishedCall = {outcome: {kind: 'result', value: {found: 0}}, milliseconds: 30}
  assert.equal(cause({requests, expect: [nothing]}, found), undefined)
  assert.equal(cause({requests, expect: [fails]}, found), 'GET /api/products returned 404.')
})

test('a slow request is named if it took most of the time', () => {
  const slow = {...CALL, milliseconds: 6_000}
  assert.equal(cause({requests: [{...GET, milliseconds: 5_900}]}, slow), 'GET /api/products took 5.9 s.')
  assert.equal(cause({requests: [{...GET, milliseconds: 900}]}, slow), undefined)
  const over = {outcome: {kind: 'timeout'}, milliseconds: 1_500} as const
  const late = {...GET, status: undefined, milliseconds: 600}
  assert.equal(cause({requests: [late]}, over), 'GET /api/products took 0.6 s.')
  assert.equal(cause({requests: [{...late, status: 200}]}, over), undefined)
})

test('finds the selectors that a script looks for on the page', () => {
  const script = [
    `document.querySelector('#a b'); document.querySelectorAll("li[data-id='1']")`,
    "document.querySelector(`form`); document.querySelector('#' + id)",
    String.raw`document.querySelector('a[title=\'x\']'); list.querySelectorAll('dt, dd')`,
  ].join('\n')
  assert.deepEqual(selectorsIn(script), ['#a b', "li[data-id='1']", 'form', "a[title='x']"])
  const part = {name: 'price', kind: 'text', selector: "[data-label='price']"}
  const tool = toolDocument({action: 'reading', reading: {parts: [part]}})
  assert.deepEqual(selectorsIn(textOf(scriptOf(tool))), [part.selector])
})

test('finds the line of the script in the stack of Chromium, in a module and in a function', () => {
  const id = '16a05178-6c59-5bb4-aa11-cc242292e9c0'
  const script = 'const a = 1\nreturn b()'
  const line = {number: 2, text: 'return b()'}
  assert.deepEqual(lineIn(`TypeError: x\n at https://s.example/tools/${id}/ab12.js:3:10`, id, script), line)
  assert.deepEqual(lineIn('TypeError: x\n at eval (eval at load (a.js), <anonymous>:5:3)', id, script), line)
  assert.equal(lineIn('TypeError: x\n at a.js:1:1', id, script), undefined)
})
