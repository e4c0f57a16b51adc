import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parameterUses} from '../../schemas/actions/parameters.ts'
import {parseAction} from '../../schemas/actions/parseAction.ts'
import {renameParameter} from '../../schemas/renameParameter.ts'
import {requestTool} from './support.ts'

const TOOL = requestTool({
  method: 'POST',
  address: '/api/{q}?{q}={q}&x={other}',
  query: [
    {_key: 'a', name: 'q', parameter: 'q'},
    {_key: 'b', name: 'x', value: '{q} q'},
  ],
  body: [{_key: 'c', name: 'q', parameter: 'q'}],
  nothing: 'No “{q}”, q.',
})

test('a parameter is renamed everywhere in an action, and nothing else', () => {
  const {request} = renameParameter(TOOL, 'q', '$&')
  assert.deepEqual(request, {
    ...Object(TOOL.request),
    address: '/api/{$&}?{$&}={$&}&x={other}',
    query: [
      {_key: 'a', name: 'q', parameter: '$&'},
      {_key: 'b', name: 'x', value: '{q} q'},
    ],
    body: [{_key: 'c', name: 'q', parameter: '$&'}],
    nothing: 'No “{$&}”, q.',
  })
  assert.deepEqual(renameParameter({link: {address: '/{q}'}}, 'q', 'id'), {link: {address: '/{id}'}})
  assert.deepEqual(renameParameter(TOOL, 'missing', 'x'), {}, 'nothing to save')
})

test('the arguments of tests are renamed with their parameter', () => {
  const testWith = (name: string) => ({
    title: 'q',
    arguments: [{_type: 'argument', name, value: 'q'}],
    expect: [{_type: 'expectation', kind: 'contains', value: 'q'}],
  })
  const renamed = renameParameter({tests: [testWith('q'), testWith('r')]}, 'q', 'words')
  assert.deepEqual(renamed, {tests: [testWith('words'), testWith('r')]})
})

test('the texts in other languages follow a new name of a parameter', () => {
  const texts = (name: string) => [{language: 'de', parameters: [{name, description: 'q'}]}]
  assert.deepEqual(renameParameter({texts: texts('q')}, 'q', 'words'), {texts: texts('words')})
})

test('the uses of parameters name the fields of the document', () => {
  const address = '/api/{q}?x={other}'
  const action = parseAction({...TOOL, request: {...Object(TOOL.request), address}}, undefined)
  assert.ok(action !== undefined)
  assert.deepEqual(
    parameterUses(action).map(({parameter, field, place}) => `${parameter} ${field} ${place}`),
    [
      'q request.address path',
      'other request.address text',
      'q request.query.0.parameter text',
      'q request.body.0.parameter body',
      'q request.nothing text',
    ],
  )
})
