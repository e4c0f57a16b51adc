import assert from 'node:assert/strict'
import {test} from 'node:test'
import {annotationsOf, inferAnnotations} from '../../../../schemas/rules/hints/annotations.ts'
import {changesSomething} from '../../../../schemas/rules/hints/effects.ts'

const AUTO = {readOnlyHint: 'auto', consequentialHint: 'auto', untrustedContentHint: 'auto'} as const
const NAMES = ['get', 'check', 'show', 'count', 'list', 'search', 'find', 'view'].flatMap((verb) =>
  ['Coupon', 'Refund', 'Interest', 'Orders', 'Seats'].map((noun) => verb + noun),
)
const graphql = (value: string) => [{name: 'query', value}]

const REQUESTS: [request: object, changes: boolean][] = [
  [{method: 'GET'}, false],
  [{}, false],
  [{method: 'POST'}, true],
  [{method: 'PUT'}, true],
  [{method: 'PATCH'}, true],
  [{method: 'DELETE'}, true],
  [{method: 'POST', body: graphql('query A { all { id } }')}, false],
  [{method: 'POST', body: graphql('{ all(text: "} mutation") { id } }')}, false],
  [{method: 'POST', body: graphql('mutation { add { id } }')}, true],
  [{method: 'POST', body: graphql('rope')}, true],
  [{method: 'POST', body: [{name: 'query', parameter: 'q'}]}, true],
  [{method: 'POST', encoding: 'form', body: graphql('{ all }')}, true],
  [{method: 'PUT', body: graphql('{ all { id } }')}, true],
]

test('on Auto, no request that may change something is read-only, whatever the tool is called', () => {
  for (const [request, changes] of REQUESTS)
    for (const name of NAMES) {
      const tool = {name, action: 'request', request}
      const {readOnlyHint = false} = annotationsOf(name, AUTO, inferAnnotations(name, tool))
      assert.equal(readOnlyHint, !changes, `${name} ${JSON.stringify(request)}`)
      assert.equal(changesSomething(tool), changes)
    }
})

test('an editor may say of POST that it only reads, and of no other method', () => {
  const annotations = {readOnlyHint: 'true'}
  for (const [method, changes] of [
    ['POST', false],
    ['PUT', true],
    ['PATCH', true],
    ['DELETE', true],
  ] as const)
    assert.equal(changesSomething({action: 'request', request: {method}, annotations}), changes, method)
})

const CHANGING = [
  "await fetch('/cart', {method: 'POST', body})",
  'return fetch(url, {"method": "put"})',
  'await fetch(`/x`, { method: `DELETE` })',
  "const request = new XMLHttpRequest(); request.open('POST', '/x')",
  "navigator.sendBeacon('/x', body)",
  "axios.post('/x', body)",
  "api.delete('/x')",
  "document.querySelector('form').submit()",
  "document.querySelector('form').requestSubmit()",
  "document.querySelector('#buy').click()",
  "button.dispatchEvent(new MouseEvent('click', {bubbles: true}))",
  "await fetch('/graphql', {method: 'POST', body: JSON.stringify({query: 'mutation { buy }'})})",
]
const READING = [
  "return fetch('/search?q=' + args.q).then((response) => response.json())",
  "await fetch('/x', {method: 'GET', signal})",
  "return document.querySelector('h1').textContent",
  "return [...document.querySelectorAll('li')].map((item) => item.textContent)",
  'const seen = new Map(); seen.delete(args.id); return seen.size',
  'return "click “Buy” to order by post"',
  "await fetch('/graphql', {method: 'POST', body: JSON.stringify({query: 'query { all { id } }'})})",
  'return {query: args.q, method: args.method}',
]

test('a script that sends, submits or clicks changes something, whatever its hints say', () => {
  for (const annotations of [undefined, {readOnlyHint: 'true'}]) {
    for (const executeJs of CHANGING) assert.ok(changesSomething({executeJs, annotations}), executeJs)
    for (const executeJs of READING)
      assert.equal(changesSomething({executeJs, annotations}), false, executeJs)
  }
  for (const action of ['reading', 'link'])
    assert.equal(changesSomething({action, executeJs: CHANGING[0]}), false)
})
