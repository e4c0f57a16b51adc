import assert from 'node:assert/strict'
import {test} from 'node:test'
import {newTest, parametersIn, testsOf, withInput} from '../../../studio/inputs/tests/rows.ts'
import {proposalsFor} from '../../../verdicts/proposals.ts'

const PARAMETERS = parametersIn({
  _type: 'tool',
  inputSchema: JSON.stringify({
    type: 'object',
    required: ['query'],
    properties: {
      query: {type: 'string', minLength: 1},
      limit: {type: 'integer', minimum: 1, maximum: 50},
      sort: {type: 'string', enum: ['price', 'name']},
    },
  }),
})

const [ROPE] = testsOf([
  {
    _key: 'a',
    title: 'Finds ropes',
    page: '/products',
    arguments: [{_key: 'b', name: 'query', value: 'rope'}],
  },
])

test('another input is at a limit of a parameter or beyond it, with the values of the test for the rest', () => {
  assert(ROPE)
  const proposals = proposalsFor([ROPE], PARAMETERS)
  const inputs = proposals.map(({title, given, isRefused}) => {
    const values = given.map(({name, value}) => `${name}=${value}`).join(' ')
    return `${title}: ${values}${isRefused ? ' fails' : ''}`
  })
  assert.deepEqual(inputs, [
    'Every parameter: query=rope limit=1 sort=price',
    'Lowest “limit”: query=rope limit=1',
    'Highest “limit”: query=rope limit=50',
    'Last choice of “sort”: query=rope sort=name',
    'Without “query”:  fails',
    'An empty text for “query”: query= fails',
    'Another kind for “limit”: query=rope limit=not this kind fails',
    'Less than the lowest for “limit”: query=rope limit=0 fails',
    'More than the highest for “limit”: query=rope limit=51 fails',
    'None of the choices for “sort”: query=rope sort=none of the choices fails',
  ])
})

test('an input that a test has already is not proposed again', () => {
  assert(ROPE)
  const [, lowest] = proposalsFor([ROPE], PARAMETERS)
  assert(lowest)
  const added = testsOf([{...withInput(ROPE, lowest), title: 'One rope'}])
  const titles = proposalsFor([ROPE, ...added], PARAMETERS).map(({title}) => title)
  assert(!titles.includes(lowest.title))
  assert(titles.includes('Highest “limit”'))
})

test('a proposal for what the parameters forbid is a test that the call fails', () => {
  assert(ROPE)
  const refused = proposalsFor([ROPE], PARAMETERS).find(({title}) => title.startsWith('An empty text'))
  assert(refused)
  const [added] = testsOf([withInput(ROPE, refused)])
  assert.equal(added?.page, '/products')
  assert.deepEqual(
    added.given.map(({name, value}) => [name, value]),
    [['query', '']],
  )
  assert.deepEqual(
    added.expect.map(({kind}) => kind),
    ['fails'],
  )
})

test('the arguments of a form tool are its described fields', () => {
  const fields = [{name: 'email', title: 'E-mail'}, {name: ''}, 'broken']
  assert.deepEqual(parametersIn({_type: 'formTool', fields}), {
    type: 'object',
    properties: {email: {title: 'E-mail'}},
  })
})

test('a new test has a title that no other has', () => {
  const tests = testsOf([
    {_key: 'a', title: 'Finds ropes'},
    {_key: 'b', title: 'Test 3'},
  ])
  assert.equal(newTest(tests, '/').title, 'Test 4')
})
