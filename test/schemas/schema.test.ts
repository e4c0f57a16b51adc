import assert from 'node:assert/strict'
import {test} from 'node:test'
import {groupProblems, validateSchema} from '@sanity/schema/_internal'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {schemaTypes} from '../../schemas/index.ts'
import {parseOfferedWhile, parseTime} from '../../schemas/rules/conditions/offeredWhile.ts'
import {parseFormFields} from '../../schemas/rules/formFields.ts'
import {parseDebugging, parseHintSettings} from '../../schemas/rules/hints/annotations.ts'
import {parseAskBefore} from '../../schemas/rules/hints/askBefore.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {parseTitle} from '../../schemas/rules/names/title.ts'
import {parsePageTools, parseToolName} from '../../schemas/rules/names/toolName.ts'
import {parseAddress, parseAddresses, parseOrigin, parseOrigins} from '../../schemas/rules/origin.ts'
import type {Parsed} from '../../schemas/rules/parsed.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../../schemas/rules/pollInterval.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {parseScript} from '../../schemas/rules/script.ts'
import {parseSelector} from '../../schemas/rules/selector.ts'
import {parseReview} from '../../schemas/rules/site.ts'
import {parseTests} from '../../schemas/rules/tests/toolTests.ts'
import {parseDescription} from '../../schemas/rules/text.ts'
import {site} from '../../schemas/site.ts'
import {compileSchema} from './compile.ts'
import {fieldRules, read} from './fieldRules.ts'
import {accepted, problemOf} from './rules/problem.ts'

test('the schema compiles without a problem', () => {
  assert.deepEqual(groupProblems(validateSchema(schemaTypes).getTypes()), [])
  for (const {name} of schemaTypes) assert.ok(compileSchema().has(name))
})

const FIELDS: [path: string[], rule: (value: unknown) => Parsed<unknown>, good: unknown, bad: unknown][] = [
  [['site', 'publicId'], parsePublicId, 'demo-shop', 'a b'],
  [['site', 'pollInterval'], parsePollInterval, 60, 5],
  [['site', 'askBefore'], parseAskBefore, 'changes', true],
  [['site', 'review'], parseReview, 'all', 'some'],
  [['site', 'addresses'], parseAddresses, ['http://localhost'], ['https://a.example', 'https://a.example']],
  [['site', 'addresses', 'of'], parseAddress, 'https://a.example', 'a.example'],
  [['site', 'pageTools'], parsePageTools, ['shop-search'], ['a', 'a']],
  [['site', 'pageTools', 'of'], parseToolName, 'shop-search', 'shop search'],
  [['tool', 'title'], parseTitle, 'Find products', 'Find\nproducts'],
  [['tool', 'name'], parseToolName, 'searchProducts', 'search products'],
  [['tool', 'description'], parseDescription, 'Searches.', '  '],
  [['tool', 'pathPattern'], parsePathPattern, '/products/**', '/**/**'],
  [['tool', 'exposedTo'], parseOrigins, ['https://a.example'], ['https://a.example', 'https://a.example']],
  [['tool', 'exposedTo', 'of'], parseOrigin, 'https://a.example', 'a.example'],
  [['tool', 'inputSchema'], parseInputSchema, '{"type": "object", "properties": {}}', '{'],
  [['tool', 'annotations'], parseHintSettings, {readOnlyHint: 'auto'}, {readOnlyHint: 'yes'}],
  [['tool', 'annotations'], parseDebugging, {debugging: true}, {debugging: 'true'}],
  [['tool', 'offeredWhile'], parseOfferedWhile, {has: ['.account']}, {has: ['.account[']}],
  [['formTool', 'offeredWhile', 'has', 'of'], parseSelector, '.account', '.account['],
  [['tool', 'offeredWhile', 'until'], parseTime, '2028-02-29T12:00:00Z', '2027-02-29T12:00:00Z'],
  [['tool', 'tests'], parseTests, [{title: 'Works', page: '/'}], [{title: 'Works'}]],
  [['formTool', 'fields'], parseFormFields, [{name: 'email', title: 'Email'}], [{name: 'email'}]],
  [['formTool', 'name'], parseToolName, 'contactShop', 'contact/shop'],
  [['formTool', 'description'], parseDescription, 'Writes to us.', ' '],
  [['formTool', 'pagePath'], parsePathPattern, '/contact', '/[contact]'],
  [['formTool', 'selector'], parseSelector, 'form#contact', 'form['],
]
for (const [[type = '', ...path], rule, good, bad] of FIELDS) {
  test(`the field ${type}.${path.join('.')} shows the editor the message of the rule, once`, async () => {
    const rules = fieldRules(type, ...path)
    assert.deepEqual(await rules.problemsOf(good), [])
    assert.deepEqual(await rules.problemsOf(bad), [problemOf(rule(bad))])
    assert.deepEqual(await rules.problemsOf(undefined), [], 'a missing value is for "required" to tell')
  })
}

test('fields that a document needs are required', () => {
  const required = [
    ['site', 'name', 'publicId'],
    ['tool', 'site', 'name', 'description', 'pathPattern', 'inputSchema'],
    ['formTool', 'site', 'name', 'description', 'pagePath', 'selector'],
  ]
  for (const [type = '', ...fields] of required) {
    for (const field of fields) assert.ok(fieldRules(type, field).required, `${type}.${field}`)
  }
})

test('a tool needs a script, unless it does something else', async () => {
  const rules = fieldRules('tool', 'executeJs')
  const problemsOf = (value: unknown, tool: object) =>
    rules.problemsOf(value, {document: {_type: 'tool', ...tool}, getClient: () => ({fetch: async () => []})})
  assert.deepEqual(await problemsOf('return 1', {}), [])
  assert.deepEqual(await problemsOf('return {', {}), [problemOf(parseScript('return {'))])
  assert.deepEqual(await problemsOf(undefined, {}), ['Required'])
  assert.deepEqual(await problemsOf(undefined, {action: 'script'}), ['Required'])
  assert.deepEqual(await problemsOf(undefined, {action: 'link'}), [])
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

test('the form of a site begins with its name, its addresses and its review, and asks for the tools of its pages nowhere', () => {
  const shown = site.fields.filter((field) => read(field, 'fieldset') === undefined)
  assert.deepEqual(
    shown.map(({name}) => name),
    ['name', 'addresses', 'review', 'pageTools'],
  )
  const hidden = read(shown.at(-1), 'hidden')
  const isHidden = (value: unknown) => typeof hidden === 'function' && hidden({value})
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
