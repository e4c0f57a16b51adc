import {deepEqual} from 'node:assert/strict'
import {test} from 'node:test'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import type {StoredDocument, Versions} from '../../../schemas/documents.ts'
import {confirmedSteps, confirmStep, nextSteps, type StepId} from '../../../studio/site/nextSteps.ts'
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

const stepsOf = (versions: Partial<Versions>, documents: StoredDocument[], ...confirmed: StepId[]) =>
  nextSteps(
    {id: site._id, type: 'site', ...versions},
    checkSite(site._id, documents),
    new Set(confirmed),
    'demo-site',
    NOW,
  )
const doneIn = (...given: Parameters<typeof stepsOf>) =>
  stepsOf(...given).flatMap(({id, isDone}) => (isDone ? [id] : []))

test('a new site has five steps, of which none is done', () => {
  const steps = stepsOf({draft: {...site, _id: `drafts.${site._id}`}}, [])
  deepEqual(
    steps.map(({id, isDone}) => [id, isDone]),
    [
      ['publish', false],
      ['address', false],
      ['tag', false],
      ['check', false],
      ['tool', false],
    ],
  )
})

test('steps are done by publishing, by an address, by a published tool, and by saying so', () => {
  deepEqual(doneIn({published: site}, [site]), ['publish'])
  const addressed = {...site, addresses: ['https://shop.example']}
  deepEqual(doneIn({published: addressed}, [addressed, {...tool, _id: `drafts.${tool._id}`}]), [
    'publish',
    'address',
  ])
  deepEqual(doneIn({published: site}, [site, tool]), ['publish', 'tool'])
  deepEqual(doneIn({published: site}, [site], 'tag'), ['publish', 'tag'])
  deepEqual(doneIn({published: {...site, publicId: 'demo-site'}}, [site]), ['publish', 'tag', 'check'])
  deepEqual(doneIn({published: addressed}, [addressed, tool], 'check'), [
    'publish',
    'address',
    'tag',
    'check',
    'tool',
  ])
})

test('a site that is older than two weeks has no steps', () => {
  deepEqual(stepsOf({published: {...site, _createdAt: '2026-11-11T11:59:59Z'}}, [site]), [])
})

test('what somebody confirmed is remembered for each site, whatever the storage contains', () => {
  const items = new Map([['handrail.steps.a', '{"broken":']])
  const storage = {getItem: (key: string) => items.get(key) ?? null, setItem: items.set.bind(items)}
  deepEqual(confirmedSteps('a', storage), new Set())
  confirmStep('a', 'tag', storage)
  confirmStep('a', 'tag', storage)
  confirmStep('b', 'check', storage)
  deepEqual(confirmedSteps('a', storage), new Set(['tag']))
  deepEqual(confirmedSteps('b', storage), new Set(['check']))
})
