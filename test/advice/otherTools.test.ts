import assert from 'node:assert/strict'
import {mock, test} from 'node:test'
import {evaluate, parse} from 'groq-js'
import {siteFacts} from '../../advice/otherTools.ts'
import {advises} from '../../advice/warnings.ts'
import type {Context} from '../../schemas/query.ts'

type Document = {_id: string; [field: string]: unknown}

const tool = (site: string, _id: string, name: string, more: object = {}) => ({
  _id,
  _type: 'tool',
  _rev: '1',
  site: {_type: 'reference', _ref: site},
  name,
  description: `What ${name} does, in a few words.`,
  pathPattern: '/**',
  enabled: true,
  ...more,
})

/** A validation context over a dataset of these documents, which counts its queries. */
function contextOf(document: Document, dataset: readonly Document[]): Context & {queries: number} {
  const context = {
    document,
    queries: 0,
    getClient: () => ({
      fetch: async (query: string, params: Record<string, unknown>) => {
        context.queries += 1
        return (await evaluate(parse(query, {params}), {dataset, params})).get()
      },
    }),
  }
  return context
}

const namesIn = async (context: Context) => (await siteFacts(context)).others.map(({name}) => name)

test('the other tools of the site are those that drafts would publish, without disabled ones', async () => {
  const own = tool('a', 'drafts.own', 'own')
  const form = tool('a', 'form', 'form', {_type: 'formTool', pathPattern: undefined, pagePath: '/contact'})
  const context = contextOf(own, [
    own,
    tool('a', 'own', 'ownAsPublished'),
    tool('a', 'published', 'before'),
    tool('a', 'drafts.published', 'after'),
    tool('a', 'versions.summer.published', 'inSummer'),
    tool('a', 'off', 'off', {enabled: false}),
    tool('b', 'foreign', 'foreign'),
    form,
  ])
  assert.deepEqual((await siteFacts(context)).others, [
    {
      id: 'form',
      name: 'form',
      description: 'What form does, in a few words.',
      pattern: '/contact',
    },
    {
      id: 'published',
      name: 'after',
      description: 'What after does, in a few words.',
      pattern: '/**',
    },
  ])
})

test('a tool that is named like one that the pages register themselves gets advice', async () => {
  const site = (_id: string, pageTools: string[]) => ({
    _id,
    _type: 'site',
    _rev: '1',
    name: 'Shop',
    enabled: true,
    pageTools,
  })
  const dataset = [site('h', ['ofTheme']), site('drafts.h', ['ofTheme', 'searchShop'])]
  const adviceOn = (name: string) => advises('name')('', contextOf(tool('h', name, name), dataset))
  assert.match(JSON.stringify(await adviceOn('searchShop')), /register a tool of this name themselves/)
  assert.equal(await adviceOn('viewCart'), true)
  assert.deepEqual(await namesIn(contextOf(tool('h', 'viewCart', 'viewCart'), dataset)), [])
})

test('a site is queried once in ten seconds, for all fields and documents', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({apis: ['Date']})
  const dataset = [tool('c', 'one', 'one'), tool('c', 'two', 'two')]
  const context = contextOf(tool('c', 'one', 'one'), dataset)
  await Promise.all(['name', 'description', 'pathPattern'].map((field) => advises(field)('', context)))
  assert.deepEqual(await namesIn(context), ['two'])
  assert.deepEqual(await namesIn({...context, document: tool('c', 'two', 'two')}), ['one'])
  assert.equal(context.queries, 1)
  mock.timers.tick(10_000)
  await namesIn(context)
  assert.equal(context.queries, 2)
})

test('advice is given without the other tools if they cannot be read, and the next validation asks again', async () => {
  const document = tool('d', 'one', 'one', {pathPattern: '/stores*'})
  const failing: Context = {document, getClient: () => ({fetch: () => Promise.reject(new Error('offline'))})}
  assert.match(JSON.stringify(await advises('pathPattern')('', failing)), /stays within one part of the path/)
  assert.deepEqual(await namesIn(contextOf(document, [tool('d', 'two', 'two')])), ['two'])
})

test('a document without a site has no neighbours and causes no query', async () => {
  const context = contextOf({_id: 'drafts.new', _type: 'tool'}, [])
  assert.deepEqual(await namesIn(context), [])
  assert.equal(context.queries, 0)
})

test('advice on a part of an action is shown at that part', async () => {
  const part = {_key: 'a', name: 'hours', kind: 'table', selector: 'table#your-table'}
  const document = tool('g', 'one', 'one', {
    action: 'reading',
    reading: {parts: [part]},
    executeJs: undefined,
    inputSchema: '{"type": "object", "properties": {}}',
  })
  const shown = await advises('reading')('', contextOf(document, []))
  assert.deepEqual(shown !== true && shown.map(({path}) => path), [['parts', {_key: 'a'}, 'selector']])
})
