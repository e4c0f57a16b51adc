import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {parseMadeTool} from '../../making/madeTool.ts'
import {handedIn, handoverLink, type MadeTool} from '../../making/studioLink.ts'

const FIELDS = {
  name: 'findEvents',
  description: 'Finds events – also “this week”.',
  pathPattern: '/events',
  action: 'request',
  request: {
    method: 'GET',
    address: '/api/events',
    query: [{name: 'from', parameter: 'from'}],
    result: {kind: 'list', path: 'data.items', members: [{path: 'title'}], limit: 10},
  },
  inputSchema: '{"type": "object", "properties": {"from": {"type": "string"}}}',
}

const made = (fields: object, others: object = {}): MadeTool => ({
  id: 'findEvents-x1',
  site: 'library',
  type: 'tool',
  fields: {...FIELDS, ...fields},
  ...others,
})

test('a tool comes through the fragment of a link, and nothing of it through the rest', () => {
  const link = new URL(handoverLink({url: 'https://studio.example/base/', preview: 'p'}, 'tool', made({})))
  assert.equal(`${link.origin}${link.pathname}${link.search}`, 'https://studio.example/base/')
  assert.deepEqual(handedIn(link.hash), {kind: 'tool', value: {...made({}), preview: 'p'}})
  assert.equal(handedIn('#handrail-tool=!'), undefined)
  assert.equal(handedIn('#handrail-tool=AAAA'), undefined)
  assert.equal(handedIn('#x'), undefined)
})

test('a tool becomes a draft of its site, with what the rules know and nothing else', () => {
  const parsed = parseMadeTool(
    made({
      executeJs: 'alert(1)',
      _id: 'x',
      enabled: false,
      exposedTo: ['https://evil.example'],
      request: {
        ...FIELDS.request,
        headers: {cookie: 'x'},
        result: {...FIELDS.request.result, answer: 'SECRET'},
      },
    }),
  )
  assert.ok(parsed.ok)
  assert.deepEqual(parsed.value.document, {
    _id: 'drafts.findEvents-x1',
    _type: 'tool',
    name: 'findEvents',
    description: 'Finds events – also “this week”.',
    site: {_type: 'reference', _ref: 'library', _weak: true, _strengthenOnPublish: {type: 'site'}},
    enabled: true,
    action: 'request',
    inputSchema: FIELDS.inputSchema,
    pathPattern: '/events',
    request: {
      method: 'GET',
      address: '/api/events',
      query: [{_key: 'row1', _type: 'row', name: 'from', parameter: 'from'}],
      result: {
        kind: 'list',
        path: 'data.items',
        members: [{_key: 'member1', _type: 'member', path: 'title'}],
        limit: 10,
      },
    },
    annotations: {readOnlyHint: 'auto', consequentialHint: 'auto', untrustedContentHint: 'auto'},
  })
})

test('a tool that opens a page has its address', () => {
  const parsed = parseMadeTool(made({action: 'link', link: {address: '/search?q={from}', x: 1}}))
  assert.ok(parsed.ok)
  assert.deepEqual(parsed.value.document.link, {address: '/search?q={from}'})
})

test('a form tool has the descriptions of its fields', () => {
  const parsed = parseMadeTool(
    made(
      {pagePath: '/contact', selector: '#contact', fields: [{name: 'day', description: 'The day.', x: 1}]},
      {type: 'formTool'},
    ),
  )
  assert.ok(parsed.ok)
  const {fields, selector, autosubmit, action} = parsed.value.document
  assert.deepEqual(fields, [{_key: 'field1', _type: 'field', name: 'day', description: 'The day.'}])
  assert.deepEqual([selector, autosubmit, action], ['#contact', false, undefined])
})

test('what breaks a rule is refused with the reason', () => {
  const rows: [tool: unknown, problem: RegExp][] = [
    [undefined, /no tool/],
    [made({}, {id: 'drafts.x'}), /no tool/],
    [made({}, {site: '../x'}), /no tool/],
    [made({}, {type: 'site'}), /no tool/],
    [made({action: 'script', executeJs: 'alert(1)'}), /neither a request nor a reading/],
    [made({name: 'find events'}), /cannot contain a space/],
    [made({description: ''}), /description/],
    [made({request: {...FIELDS.request, address: 'javascript:alert(1)'}}), /javascript:/],
    [made({request: {...FIELDS.request, query: [{name: 'x', parameter: 'other'}]}}), /no parameter “other”/],
    [made({inputSchema: '{'}), /not valid JSON/],
    [made({pathPattern: '/a|b'}), /path pattern/],
    [made({selector: '', pagePath: '/'}, {type: 'formTool'}), /selector/],
  ]
  for (const [tool, problem] of rows) {
    const parsed = parseMadeTool(tool)
    assert.match(parsed.ok ? '' : parsed.problem, problem)
  }
})

test('whatever a link has, nothing is thrown, and a draft has only what the rules know', () => {
  const known =
    'id site type fields for preview test name title request reading link action executeJs inputSchema'.split(
      ' ',
    )
  const key = fc.oneof(fc.constantFrom(...known, '__proto__', '_id', '_type'), fc.string({maxLength: 5}))
  const {value} = fc.letrec((tie) => ({
    value: fc.oneof(
      {maxDepth: 4},
      fc.constantFrom<unknown>('tool', 'formTool', 'request', 'drafts.a', 'library', '{}', null, 1, true),
      fc.string(),
      fc.array(tie('value'), {maxLength: 3}),
      fc.dictionary(key, tie('value'), {maxKeys: 5}),
    ),
  }))
  const fields = fc.oneof(
    value,
    fc.dictionary(key, value).map((more) => ({...FIELDS, ...more})),
  )
  const tool = fc.oneof(
    fc.dictionary(key, value).map((more) => ({...more, ...made(more)})),
    value,
    fc.record({
      id: fc.oneof(value, fc.constant('a')),
      site: fc.constant('library'),
      type: fc.constantFrom('tool', 'formTool', 'site'),
      fields,
    }),
  )
  let accepted = 0
  fc.assert(
    fc.property(tool, fc.string(), (given, text) => {
      handedIn(`#handrail-tool=${text}`)
      const handed = handedIn(
        new URL(handoverLink({url: 'https://studio.example/', preview: text}, 'tool', made({}))).hash,
      )
      assert.equal(handed?.kind, 'tool')
      const parsed = parseMadeTool(given)
      if (!parsed.ok) return
      accepted += 1
      const {document, type} = parsed.value
      assert.deepEqual([document._id.startsWith('drafts.'), document._type], [true, type])
      assert.ok(!('executeJs' in document) && !('tests' in document) && !('exposedTo' in document))
    }),
  )
  assert.ok(accepted > 0)
})
