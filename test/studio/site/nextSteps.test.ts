import {deepEqual} from 'node:assert/strict'
import {test} from 'node:test'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import type {StoredDocument, Versions} from '../../../schemas/documents.ts'
import {nextSteps, noteShown, wasShown} from '../../../studio/site/nextSteps.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')
const stored = (document: {_id: string; _type: string}, fields = {}): StoredDocument => ({
  ...document,
  _rev: '1',
  _createdAt: '2026-11-25T10:00:00Z',
  ...fields,
})
const site = stored(siteDocument({addresses: undefined}))
const tool = stored(toolDocument())

const stepsOf = (versions: Partial<Versions>, documents: StoredDocument[], isSeen = false) =>
  nextSteps(
    {id: site._id, type: 'site', ...versions},
    checkSite(site._id, documents),
    isSeen,
    'demo-site',
    NOW,
  )
const doneIn = (...given: Parameters<typeof stepsOf>) =>
  stepsOf(...given).flatMap(({id, isDone}) => (isDone ? [id] : []))

test('a new site has four steps, of which none is done', () => {
  const steps = stepsOf({draft: {...site, _id: `drafts.${site._id}`}}, [])
  deepEqual(
    steps.map(({id, isDone}) => [id, isDone]),
    [
      ['publish', false],
      ['address', false],
      ['tag', false],
      ['tool', false],
    ],
  )
})

test('steps are done by publishing, by an address, by a page that was seen, and by a published tool', () => {
  deepEqual(doneIn({published: site}, [site]), ['publish'])
  const addressed = {...site, addresses: ['https://shop.example']}
  deepEqual(doneIn({published: addressed}, [addressed, {...tool, _id: `drafts.${tool._id}`}]), [
    'publish',
    'address',
  ])
  deepEqual(doneIn({published: site}, [site, tool]), ['publish', 'tool'])
  deepEqual(doneIn({published: site}, [site], true), ['publish', 'tag'])
  deepEqual(doneIn({published: {...site, publicId: 'demo-site'}}, [site]), ['publish', 'tag'])
  deepEqual(doneIn({published: addressed}, [addressed, tool], true), ['publish', 'address', 'tag', 'tool'])
})

test('a site that is older than two weeks has no steps', () => {
  deepEqual(stepsOf({published: {...site, _createdAt: '2026-11-11T11:59:59Z'}}, [site]), [])
})

test('that a page showed a preview is remembered for its site', () => {
  const items = new Map<string, string>()
  const storage = {getItem: (key: string) => items.get(key) ?? null, setItem: items.set.bind(items)}
  noteShown('a', storage)
  deepEqual([wasShown('a', storage), wasShown('b', storage)], [true, false])
})
