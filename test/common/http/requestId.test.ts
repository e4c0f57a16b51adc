import {equal, match} from 'node:assert/strict'
import {test} from 'node:test'
import {requestId} from '../../../common/http/requestId.ts'

test('a request has the name that the proxy gave it, and nothing else that a client sends', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`
  equal(requestId({headers: {'x-request-id': 'a-1', traceparent}}), 'a-1')
  equal(requestId({headers: {'x-request-id': 'a b', traceparent}}), trace)
  for (const headers of [{}, {'x-request-id': 'a'.repeat(65)}, {traceparent: '00-x'}])
    match(requestId({headers}), /^[\da-f-]{36}$/)
})
