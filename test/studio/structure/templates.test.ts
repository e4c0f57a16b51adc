import assert from 'node:assert/strict'
import {test} from 'node:test'
import {templates} from '../../../studio/structure/templates.ts'

test('a recipe fills in the site if it is known, and else leaves it to the editor', () => {
  const template = templates([]).find(({id}) => id === 'toolOfSite.lookUp')
  assert.ok(typeof template?.value === 'function')
  const fill: (values: unknown) => unknown = template.value
  assert.equal(Object(fill({siteId: 'cafe'})).site._ref, 'cafe')
  assert.equal('site' in Object(fill({})), false)
  assert.equal(Object(fill({})).executeJs, Object(fill({siteId: 'cafe'})).executeJs)
})

test('a page fills in the texts of a form tool and its site, and nothing else', () => {
  const template = templates([]).find(({id}) => id === 'formToolOfPage')
  assert.ok(typeof template?.value === 'function')
  const fill: (values: unknown) => unknown = template.value
  const texts = {name: 'book', description: 'Books a table.', pagePath: '/book', selector: '#book'}
  assert.deepEqual(fill({...texts, site: 'cafe', enabled: false, _id: 'x', autosubmit: true}), {
    ...texts,
    site: {_type: 'reference', _ref: 'cafe', _weak: true, _strengthenOnPublish: {type: 'site'}},
  })
  assert.deepEqual(fill({name: 7, description: null, selector: '', site: {}}), {})
  assert.equal(Object(fill({description: 'x'.repeat(10_000)})).description.length, 2_000)
})
