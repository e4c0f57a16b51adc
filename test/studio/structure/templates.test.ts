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
