import {deepEqual, ok} from 'node:assert/strict'
import {test} from 'node:test'
import {Ajv} from 'ajv'
import fc from 'fast-check'
import {compare} from '../../advice/changes/compare.ts'
import {compareDocuments} from '../../advice/changes/members.ts'
import {Verdicts} from '../../advice/diagnosis/verdicts.ts'
import {checkDocument} from '../../cli/check/document.ts'
import {answerOf, parseDocument, unknownMembers} from '../../schemas/document.ts'
import {siteOf} from '../../schemas/documents.ts'
import type {Field, Member} from '../../schemas/field.ts'
import {DECLARATIONS, declarationOf, fieldOf, problemsOf} from '../../schemas/index.ts'
import {jsonSchemaOf} from '../../schemas/jsonSchemas.ts'
import {type Fields, isRecord} from '../../schemas/record.ts'
import {BrokenRule, orBrokenRule} from '../../schemas/rules/parsed.ts'
import {readTool} from '../../service/site/readTool.ts'
import {IS_DEEP} from '../runner/runs.ts'
import {FORM, SITE, TEXTS, TOOL, text} from '../support/brokenRepositories/documents.ts'
import {fieldRules} from './fieldRules.ts'

type Document = Fields & {readonly _id: string; readonly _type: string}

const SHARED = {
  offeredWhile: {
    has: ['.account'],
    hasNot: ['.empty'],
    from: '2026-11-01T08:00:00Z',
    until: '2027-11-01T08:00Z',
  },
  texts: [
    {
      language: 'de',
      title: 'Karte',
      description: 'Zeigt die Karte.',
      parameters: [{name: 'day', description: 'Der Tag.'}],
    },
  ],
  tests: [
    {
      title: 'Shows it',
      page: '/menu',
      visitor: 'signed-out',
      arguments: [{name: 'day', value: 'today'}],
      expect: [
        {kind: 'contains', member: 'dishes', value: 'soup'},
        {kind: 'atLeast', member: 'dishes', value: '1'},
      ],
      prompt: 'What is there to eat?',
    },
  ],
}
const PARAMETERS = '{"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}'
const SCRIPTED = {
  ...TOOL,
  ...TEXTS,
  ...SHARED,
  title: 'Menu',
  outputSchema: '{"type": "object"}',
  exposedTo: ['https://partner.example'],
  annotations: {
    readOnlyHint: 'auto',
    consequentialHint: 'true',
    untrustedContentHint: 'false',
    debugging: true,
  },
}
const PART = {name: 'hours', selector: 'dl', kind: 'definitions'}
const ITEMS = {
  name: 'dishes',
  selector: 'li',
  kind: 'items',
  fields: [
    {name: 'name', selector: 'h3', kind: 'text'},
    {name: 'date', kind: 'attribute', attribute: 'datetime'},
  ],
  limit: 5,
}
const PARTS = [
  PART,
  ITEMS,
  {name: 'prices', selector: 'table', kind: 'table', columns: ['Dish'], limit: 3},
  {name: 'address', selector: 'a', kind: 'attribute', attribute: 'href'},
]
const unscripted = (action: string, part: object) => ({
  ...TOOL,
  inputSchema: PARAMETERS,
  action,
  [action]: part,
})

/** Good documents that together have every declared member. */
const DOCUMENTS: readonly Document[] = [
  {
    ...SITE,
    enabled: true,
    addresses: ['https://cafe.example'],
    review: 'all',
    hashRouter: false,
    pollInterval: 60,
    askBefore: 'changes',
    reportCalls: true,
    reportAfterConsent: true,
    pageTools: ['shop-search'],
  },
  SCRIPTED,
  unscripted('request', {
    method: 'POST',
    address: '/api/menu/{day}',
    encoding: 'json',
    headers: [{name: 'X-Token', selector: 'meta[name=token]', attribute: 'content'}],
    query: [{name: 'day', parameter: 'day'}],
    body: [
      {name: 'a', value: '1', format: 'json'},
      {name: 'b', value: 'x', inside: 'json', member: 'c.d'},
      {name: 'c', cookie: 'csrftoken'},
    ],
    result: {kind: 'list', path: 'data.items', members: [{path: 'title', name: 'name'}], limit: 5},
    error: 'fault.reason',
    nothing: 'Nothing for {day}.',
  }),
  unscripted('request', {address: '/menu', result: {kind: 'parts', parts: PARTS, pages: 2}}),
  unscripted('request', {address: '/menu', result: {kind: 'message', message: 'Done.'}}),
  unscripted('reading', {parts: PARTS, pages: 2, nothing: 'Closed.'}),
  unscripted('link', {address: '/menu/{day}'}),
  {
    ...FORM,
    ...SHARED,
    texts: SHARED.texts.map(({title: _, ...texts}) => texts),
    autosubmit: true,
    fields: [{name: 'day', title: 'Day', description: 'The day of the visit.'}],
  },
]

/** The paths to all members that a document has, and to members that are not declared. */
function pathsIn(members: readonly Member[], value: unknown, at: readonly (string | number)[]): Path[] {
  if (!isRecord(value)) return []
  const inside = members.flatMap(({name, members: own = [], entry}): Path[] => {
    const inner = value[name]
    const path = [...at, name]
    const entries = Array.isArray(inner) ? [...inner.keys()].map((index) => [...path, index]) : []
    return [
      path,
      ...pathsIn(own, inner, path),
      ...entries,
      ...entries.flatMap((one, index) =>
        pathsIn(entry?.members ?? [], Array.isArray(inner) && inner[index], one),
      ),
    ]
  })
  return [...inside, [...at, 'hass'], [...at, 'titel']]
}

type Path = readonly (string | number)[]

const JUNK: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'x',
  'a b',
  '/x',
  '.x',
  '{',
  'https://a.example',
  0,
  5,
  1.5,
  true,
  false,
  [],
  {},
  ['x'],
  ['x', 'x'],
  [{}],
  [null],
  [7],
  '{}',
  '{"type": "object"}',
  '{"type": "object", "properties": {}, "required": ["x"]}',
  'script',
  'request',
  'text',
  'list',
  'x'.repeat(300),
  'x'.repeat(6_000),
  'x y'.repeat(40_000),
]

const MUTATIONS = DOCUMENTS.flatMap((document) =>
  pathsIn(declarationOf(document._type)?.fields ?? [], document, []).map((path) => ({document, path})),
)

function mutated(value: unknown, [step, ...rest]: Path, junk: unknown): unknown {
  if (step === undefined) return junk
  if (Array.isArray(value)) return value.map((one, at) => (at === step ? mutated(one, rest, junk) : one))
  return isRecord(value) ? {...value, [step]: mutated(value[step], rest, junk)} : value
}

const ajv = new Ajv({allowUnionTypes: true})
const schemas = new Map(DECLARATIONS.map((one) => [one.name, ajv.compile(jsonSchemaOf(one))]))

function isServed({name, isServed}: Field): boolean {
  return name.startsWith('_') || isServed === true
}

async function judge(document: Document): Promise<void> {
  const {_type: type, _id: id} = document
  const declaration = declarationOf(type)
  ok(declaration)
  const problems = problemsOf(type, document)
  const sentences = problems.map(({problem}) => problem)

  const inStudio = await Promise.all(
    declaration.fields.map(({name}) =>
      fieldRules(type, name).problemsOf(document[name], {
        document,
        getClient: () => ({fetch: async () => []}),
      }),
    ),
  )
  deepEqual(inStudio.flat(), sentences, 'Studio')

  const files = new Map([[`${type}/${id}.json`, Buffer.from(text(document))]])
  const {findings} = checkDocument({key: {type, id}, files})
  const checked = findings
    .filter(({code}) => code === 'RULE_BROKEN')
    .map(({field, message: problem}) => ({field, problem}))
  const byField = (a: {field?: string | undefined}, b: {field?: string | undefined}) =>
    String(a.field).localeCompare(String(b.field))
  deepEqual(checked.sort(byField), problems.toSorted(byField), 'content check')

  if (type !== 'site') {
    const served = declaration.fields.filter(isServed).map(({name}) => name)
    const [first] = problems.filter(({field}) => served.includes(field.split('.')[0] ?? ''))
    const stored = {...document, _rev: '1'}
    const fetched = Object.fromEntries(
      ['_id', '_rev', ...served].flatMap((name) =>
        name in stored ? [[name, Reflect.get(stored, name)]] : [],
      ),
    )
    const broken = orBrokenRule(() => readTool(declaration, {...fetched, _id: id, _rev: '1'}))
    deepEqual(
      broken instanceof BrokenRule ? {field: broken.field, problem: broken.message} : undefined,
      first,
      'service',
    )
    deepEqual(
      new Verdicts().of(type === 'tool' ? 'tool' : 'formTool', stored).broken,
      first,
      'preview and diagnosis',
    )

    const site = {...SITE, _rev: '1'}
    const good = {...(type === 'tool' ? {...TOOL, ...TEXTS} : FORM), _rev: '0'}
    const snapshot = (tool: typeof stored) => new Map([site, tool].map((one) => [one._id, one]))
    const isCompared = document.enabled === true && siteOf(document) === SITE._id
    const [change] = isCompared ? compare(snapshot(good), snapshot(stored)) : []
    const [gone] = change?.tools.filter(({kind}) => kind === 'removed') ?? []
    const reason = gone?.reasons.find(({code}) => code === 'invalid')
    if (isCompared)
      deepEqual(reason && 'problem' in reason ? reason.problem : undefined, first?.problem, 'diff')
  }

  const isAccepted = schemas.get(type)?.(document) === true
  const hasUnknown = unknownMembers(declaration, document).length > 0
  if (isAccepted) {
    const beyond = problems.filter(({field}) => {
      const declared = fieldOf(type, field.split('.')[0] ?? '')
      return declared?.beyond === undefined && declared?.file === undefined
    })
    deepEqual(beyond, [], 'JSON Schema')
    ok(!hasUnknown, 'JSON Schema accepts a member that is not declared')
  } else if (problems.length === 0 && !hasUnknown) deepEqual(schemas.get(type)?.errors, [], 'JSON Schema')
}

test('documents that keep every rule are accepted everywhere', async () => {
  for (const document of DOCUMENTS) {
    deepEqual(problemsOf(document._type, document), [])
    await judge(document)
  }
})

test('Sanity’s own rule of kinds, which Studio applies to hidden members, too, is that of the check', async () => {
  const [, , request, parts, , reading] = DOCUMENTS
  const rows: [document: Document | undefined, path: Path, wrong: unknown, problem: string][] = [
    [request, ['link'], false, '“Page to open” must be an object.'],
    [parts, ['request', 'result', 'message'], true, '“Text” must be text.'],
    [reading, ['reading', 'parts', 3, 'fields'], 'x', '“Fields of each entry” must be a list.'],
    [
      SCRIPTED,
      ['annotations', 'consequentalHint'],
      'true',
      'There is no hint “consequentalHint”: did you mean “consequentialHint”?',
    ],
  ]
  for (const [document, path, wrong, problem] of rows) {
    const changed = mutated(document, path, wrong)
    ok(document && isRecord(changed))
    const after = {...changed, _id: document._id, _type: document._type}
    deepEqual(problemsOf(document._type, after), [{field: path.join('.'), problem}])
    await judge(after)
  }
})

test('a member that is not declared is found in every object', () => {
  for (const {document, path} of MUTATIONS.filter((one) => one.path.at(-1) === 'hass')) {
    const declaration = declarationOf(document._type)
    const misspelled = mutated(document, path, 1)
    ok(declaration && isRecord(misspelled))
    deepEqual(
      unknownMembers(declaration, misspelled).map(({field}) => field),
      [path.join('.')],
    )
  }
})

test('Studio, check, service, previews and diff have one verdict on a document, with one sentence', async () => {
  const mutation = fc.record({
    at: fc.nat(MUTATIONS.length - 1),
    junk: fc.nat(JUNK.length - 1),
    next: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(mutation, async ({at, junk, next}) => {
      const {document, path} = MUTATIONS[at] ?? MUTATIONS[0] ?? {}
      ok(document && path)
      const once = mutated(document, path, JUNK[junk])
      // Every second one has two mutations.
      const others = MUTATIONS.filter((one) => one.document === document)
      const other = others[next % others.length]
      const twice = next % 2 === 0 && other ? mutated(once, other.path, JUNK[next % JUNK.length]) : once
      const stored: unknown = JSON.parse(JSON.stringify(twice))
      ok(isRecord(stored))
      await judge({...stored, _id: document._id, _type: document._type})
    }),
    {numRuns: IS_DEEP ? 5_000 : 600},
  )
})

/** All that the service reads of a document, and what pages get. */
function served(document: Document): string {
  const declaration = declarationOf(document._type)
  ok(declaration)
  // Whether it is on is said of the tool or the site as a whole.
  const {enabled: _, ...values} = parseDocument(declaration, document)
  return JSON.stringify([values, answerOf(declaration, values, document)])
}

test('no change of what is served is missing in a diff', () => {
  const before = new Map(DOCUMENTS.map((document) => [document, served(document)]))
  // No rule accepts the longest text.
  for (const {document, path} of MUTATIONS)
    for (const junk of JUNK.slice(0, -1)) {
      const declaration = declarationOf(document._type)
      const stored: unknown = JSON.parse(JSON.stringify(mutated(document, path, junk)))
      ok(declaration && isRecord(stored))
      const after = {...stored, _id: document._id, _type: document._type}
      const isAccepted =
        problemsOf(document._type, after).length === 0 && unknownMembers(declaration, after).length === 0
      if (!isAccepted || before.get(document) === served(after)) continue
      ok(
        compareDocuments(declaration, document, after).length > 0,
        `${path.join('.')}: ${JSON.stringify(junk)}`,
      )
    }
})
