import assert from 'node:assert/strict'
import {test} from 'node:test'
import {diagnosePage} from '../../../advice/diagnosis/page.ts'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import type {StoredDocument} from '../../../schemas/documents.ts'
import {badgeOf, outdatedBadge} from '../../../studio/documents/badge.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const stored = (document: {_id: string; _type: string}): StoredDocument => ({...document, _rev: '1'})
const site = stored(siteDocument())
const tool = stored(toolDocument())
const draft = {...tool, _id: `drafts.${tool._id}`}

const BADGES: [what: string, documents: StoredDocument[], label: string, color: string][] = [
  ['published', [site, tool], 'Offered', 'success'],
  ['published with a draft', [site, tool, draft], 'Offered, draft waits', 'success'],
  ['never published', [site, draft], 'Not on pages', 'warning'],
  ['switched off', [site, {...tool, enabled: false}], 'Off', 'warning'],
  ['on a site that is switched off', [{...site, enabled: false}, tool], 'Site off', 'warning'],
  ['on a site that is not published', [tool], 'Site not published', 'warning'],
  ['with an invalid script', [site, {...tool, executeJs: 'return {'}], 'Left out: Script', 'danger'],
  ['with a name that is taken', [site, tool, {...tool, _id: 'a'}], 'Left out: name taken', 'danger'],
]

for (const [what, documents, label, color] of BADGES) {
  test(`a tool that is ${what} has the badge “${label}”, with an explanation`, () => {
    const {tools} = diagnosePage(checkSite('shop', documents), undefined)
    const found = tools.find(({id}) => id === tool._id)
    assert.ok(found)
    const badge = badgeOf(found)
    assert.deepEqual([badge.label, badge.color], [label, color])
    assert.match(String(badge.title), /offered .*\.$/)
  })
}

test('a draft that is older than what is published says so, and any other says nothing', () => {
  const [earlier, later] = ['2026-11-26T03:00:00Z', '2026-11-26T03:00:01Z'].map((_updatedAt) => ({
    _updatedAt,
  }))
  assert.ok(earlier && later)
  assert.equal(outdatedBadge(earlier, later)?.label, 'Draft is outdated')
  for (const [draft, published] of [
    [later, earlier],
    [earlier, earlier],
    [earlier, null],
    [null, earlier],
    [null, null],
  ] as const)
    assert.equal(outdatedBadge(draft, published), null)
})
