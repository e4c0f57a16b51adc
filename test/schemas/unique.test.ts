import assert from 'node:assert/strict'
import {test} from 'node:test'
import {evaluate, parse} from 'groq-js'
import {publishedIdOf} from '../../schemas/documentId.ts'
import type {Context} from '../../schemas/query.ts'
import {hasUniquePublicId, hasUniqueToolName, keepsPublicId} from '../../schemas/unique.ts'

type Document = {_id: string; [field: string]: unknown}

/** A validation context over a dataset of these documents, queried with real GROQ. */
function contextOf(document: Document | undefined, dataset: Document[]): Context {
  return {
    ...(document && {document}),
    getClient: ({apiVersion}) => ({
      fetch: async (query, params, {perspective}) => {
        assert.equal(apiVersion, '2025-02-19')
        assert.equal(perspective, 'raw', 'or drafts would not be seen')
        return (await evaluate(parse(query, {params}), {dataset, params})).get()
      },
    }),
  }
}

const site = (_id: string, publicId: string) => ({_id, _type: 'site', publicId})
const named = (_type: string, _id: string, name: string, siteId = 'shop') => ({
  _id,
  _type,
  name,
  site: {_type: 'reference', _ref: siteId},
})

test('an ID identifies the same document as a draft, in a release, and published', () => {
  for (const id of ['a.b', 'drafts.a.b', 'versions.r1.a.b']) assert.equal(publishedIdOf(id), 'a.b')
  assert.equal(publishedIdOf('draftsman'), 'draftsman')
})

test('a public ID used by another site, published or not, is refused', async () => {
  for (const _id of ['other', 'drafts.other', 'versions.r1.other']) {
    const context = contextOf(site('drafts.own', 'demo-shop'), [site(_id, 'demo-shop')])
    assert.match(String(await hasUniquePublicId('demo-shop', context)), /Another site/)
  }
})

test("a public ID used by the site's own draft, version or published document is accepted", async () => {
  const dataset = ['own', 'drafts.own', 'versions.r1.own'].map((_id) => site(_id, 'demo-shop'))
  for (const own of dataset) assert.equal(await hasUniquePublicId('demo-shop', contextOf(own, dataset)), true)
  assert.equal(await hasUniquePublicId(undefined, contextOf(site('own', ''), dataset)), true)
})

test('the public ID of a published site cannot change, in a draft or a release', async () => {
  const dataset = [site('own', 'demo-shop')]
  for (const _id of ['own', 'drafts.own', 'versions.r1.own']) {
    const context = contextOf(site(_id, 'new-name'), dataset)
    assert.match(String(await keepsPublicId('new-name', context)), /use the public ID "demo-shop"/)
    assert.match(String(await keepsPublicId(undefined, context)), /use the public ID "demo-shop"/)
    assert.equal(await keepsPublicId('demo-shop', context), true)
  }
})

test('the public ID of a site that was never published can change', async () => {
  const context = contextOf(site('drafts.own', 'new-name'), [
    site('drafts.own', 'old-name'),
    site('other', 'x'),
  ])
  assert.equal(await keepsPublicId('new-name', context), true)
  assert.equal(await keepsPublicId('new-name', contextOf(undefined, [])), true)
})

test('a name is unique within a site, across tools and form tools', async () => {
  const own = named('tool', 'drafts.own', 'contact')
  for (const other of [named('tool', 'other', 'contact'), named('formTool', 'drafts.other', 'contact')]) {
    assert.match(String(await hasUniqueToolName('contact', contextOf(own, [own, other]))), /Another tool/)
  }
})

test('the same name on another site, or on the tool itself, is accepted', async () => {
  const own = named('formTool', 'drafts.own', 'contact')
  const dataset = [own, named('formTool', 'own', 'contact'), named('tool', 'other', 'contact', 'second-shop')]
  assert.equal(await hasUniqueToolName('contact', contextOf(own, dataset)), true)
})

test('a tool without a site or a name conflicts with none', async () => {
  const dataset = [named('tool', 'other', 'contact')]
  assert.equal(await hasUniqueToolName('contact', contextOf({_id: 'own', _type: 'tool'}, dataset)), true)
  assert.equal(await hasUniqueToolName(undefined, contextOf(named('tool', 'own', ''), dataset)), true)
})
