import assert from 'node:assert/strict'
import {test} from 'node:test'
import {groupProblems, validateSchema} from '@sanity/schema/_internal'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {parseOfferedWhile} from '../../schemas/fields/offeredWhile.ts'
import {DECLARATIONS, problemsOf} from '../../schemas/index.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {DEFAULT_POLL_INTERVAL} from '../../schemas/rules/pollInterval.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {site} from '../../schemas/site.ts'
import {compileSchema, schemaTypes} from './compile.ts'
import {fieldRules, read} from './fieldRules.ts'
import {accepted, problemOf} from './rules/problem.ts'

test('the schema compiles without a problem', () => {
  assert.deepEqual(groupProblems(validateSchema(schemaTypes).getTypes()), [])
  for (const {name} of schemaTypes) assert.ok(compileSchema().has(name))
})

test('Studio shows the sentence of the rule, once, also for what is missing', async () => {
  for (const {name, fields} of DECLARATIONS) {
    for (const {name: field, isRequired, only} of fields) {
      const expected = problemsOf(name, {[field]: undefined}).find((one) => one.field === field)?.problem
      const found = await fieldRules(name, field).problemsOf(undefined)
      assert.deepEqual(found, expected === undefined ? [] : [expected], `${name}.${field}`)
      if (only === undefined)
        assert.equal(found.length > 0, isRequired === true, `${name}.${field} is required`)
    }
  }
  assert.deepEqual(await fieldRules('tool', 'offeredWhile').problemsOf({has: ['.account[']}), [
    problemOf(parseOfferedWhile({has: ['.account[']})),
  ])
})

test('Studio shows the problem of an action at the part that it is about', () => {
  const request = {
    address: '/api/events',
    query: [
      {_key: 'a', name: 'q', parameter: 'query'},
      {_key: 'b', name: 'page'},
    ],
    result: {kind: 'text'},
  }
  const problem = problemOfAction({action: 'request', request, inputSchema: '{}'})
  assert.equal(problem?.field, 'request.query.1')
  assert.deepEqual(problem.path, ['request', 'query', {_key: 'b'}])
})

function initialValueOf(type: string, ...path: string[]): unknown {
  const initial = path.reduce((found: unknown, name) => {
    const fields = read(found, 'fields')
    return read(
      Array.isArray(fields) ? fields.find((field) => read(field, 'name') === name) : undefined,
      'type',
    )
  }, compileSchema().get(type))
  const value = read(initial, 'initialValue')
  return typeof value === 'function' ? value() : value
}

test('a new document starts with values that pass the rules', () => {
  accepted(parsePublicId(initialValueOf('site', 'publicId')))
  assert.notEqual(initialValueOf('site', 'publicId'), initialValueOf('site', 'publicId'))
  assert.equal(initialValueOf('site', 'pollInterval'), DEFAULT_POLL_INTERVAL)
  assert.equal(initialValueOf('site', 'askBefore'), 'never')
  assert.equal(initialValueOf('tool', 'enabled'), true)
  accepted(parsePathPattern(initialValueOf('tool', 'pathPattern')))
  accepted(parseInputSchema(initialValueOf('tool', 'inputSchema')))
  assert.equal(initialValueOf('tool', 'executeJs'), undefined)
  assert.equal(initialValueOf('tool', 'annotations', 'untrustedContentHint'), 'auto')
  assert.equal(initialValueOf('formTool', 'enabled'), true)
  assert.equal(initialValueOf('formTool', 'autosubmit'), false)
})

test('a list shows the pages of a tool, its site, and what is switched off', () => {
  const prepare = (type: string, selection: object) => {
    const preparing = read(read(compileSchema().get(type), 'preview'), 'prepare')
    return typeof preparing === 'function' ? preparing(selection) : undefined
  }
  const site = {siteName: 'Harbour Supply', siteEnabled: true}
  assert.deepEqual(prepare('tool', {name: 'viewCart', place: '/**', enabled: true, ...site}), {
    title: 'viewCart',
    subtitle: '/** · Harbour Supply',
  })
  const subtitleOf = (type: string, selection: object) => prepare(type, selection).subtitle
  assert.equal(subtitleOf('tool', {place: '/cart', ...site}), 'Off · /cart · Harbour Supply')
  assert.equal(
    subtitleOf('formTool', {place: '/cart', enabled: true, ...site, siteEnabled: false}),
    'Site off · /cart · Harbour Supply',
  )
  assert.equal(subtitleOf('formTool', {enabled: true}), 'No pages yet')
})

test('the site of a tool is read-only once it is chosen, so that a pasted tool does not change it, and is never created there', () => {
  for (const type of ['tool', 'formTool']) {
    const fields = read(compileSchema().get(type), 'fields')
    const field = Array.isArray(fields) ? fields.find(({name}) => name === 'site') : undefined
    const readOnly = read(read(field, 'type'), 'readOnly')
    assert.ok(typeof readOnly === 'function')
    assert.equal(readOnly({value: {_type: 'reference', _ref: 'shop'}}), true)
    assert.equal(readOnly({value: undefined}), false)
    assert.equal(read(read(read(field, 'type'), 'options'), 'disableNew'), true)
  }
})

test('the public ID is read-only if the form shows the published site', () => {
  const fields = read(compileSchema().get('site'), 'fields')
  const field = Array.isArray(fields) ? fields.find(({name}) => name === 'publicId') : undefined
  const readOnly = read(read(field, 'type'), 'readOnly')
  const isReadOnly = (document: object | undefined) => typeof readOnly === 'function' && readOnly({document})
  assert.equal(isReadOnly({_id: 'shop', _rev: '1'}), true)
  assert.equal(isReadOnly({_id: 'drafts.shop', _rev: '1'}), false)
  assert.equal(isReadOnly({_id: 'versions.summer.shop', _rev: '1'}), false)
  assert.equal(isReadOnly({_id: 'shop'}), false, 'a new site, not stored yet')
  assert.equal(isReadOnly(undefined), false)
})

test('the form of a site has its name and its addresses above what is folded, and asks for the tools of its pages nowhere', () => {
  const shown = site.fields.filter((field) => field.form?.fieldset === undefined)
  assert.deepEqual(
    shown.map(({name}) => name),
    ['name', 'addresses', 'pageTools'],
  )
  const isHidden = (value: unknown) => shown.at(-1)?.form?.hidden?.({value})
  assert.deepEqual([undefined, [], ['renew-loan']].map(isHidden), [true, true, false])
})

test('an expectation of a test asks only for what its kind needs, and a test is shown in words', () => {
  const fieldOf = (type: unknown, name: string) => {
    const fields = read(type, 'fields')
    return read(
      Array.isArray(fields) ? fields.find((field) => read(field, 'name') === name) : undefined,
      'type',
    )
  }
  const entryOf = (type: unknown) => {
    const of = read(type, 'of')
    return Array.isArray(of) ? of[0] : undefined
  }
  const test = entryOf(fieldOf(compileSchema().get('tool'), 'tests'))
  const expectation = entryOf(fieldOf(test, 'expect'))
  const shownFor = (kind: string) =>
    ['member', 'value'].filter((name) => {
      const hidden = read(fieldOf(expectation, name), 'hidden')
      return typeof hidden === 'function' && !hidden({parent: {kind}})
    })
  assert.deepEqual(shownFor('succeeds'), [])
  assert.deepEqual(shownFor('exists'), ['member'])
  assert.deepEqual(shownFor('fails'), ['value'])
  assert.deepEqual(shownFor('atLeast'), ['member', 'value'])

  const prepare = read(read(test, 'preview'), 'prepare')
  assert.ok(typeof prepare === 'function')
  const expect = [{kind: 'atLeast', member: 'products', value: '1'}]
  const given = [{name: 'query', value: 'rope'}]
  assert.deepEqual(prepare({title: 'Finds ropes', page: '/products', given, expect}), {
    title: 'Finds ropes',
    subtitle: '/products, query “rope”: “products” has at least 1 entry',
  })
  assert.deepEqual(prepare({page: '/products'}), {title: 'New test', subtitle: '/products'})
})
