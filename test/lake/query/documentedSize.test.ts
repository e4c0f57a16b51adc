import assert from 'node:assert/strict'
import {test} from 'node:test'
import {run} from '../../../lake/query/run.ts'
import {MAX_DOCUMENTS, sizeProblem} from '../../../lake/readiness.ts'
import {changesQuery, siteQuery, siteRevisionsQuery} from '../../../service/upstream/queries.ts'
import {environment, storeOf} from '../support/documents.ts'

/** Of one site that has every tool, and of a site for each two tools. */
const SHAPES = {one: 1, many: MAX_DOCUMENTS / 3}

/**
 * Two fifths of what a query may take. Its work is counted, in units of 2,000 steps: a program that has just started needs
 * up to half a millisecond for one, so 250 ms are 500.
 */
const bounds = () => {
  let units = 0
  return {milliseconds: 500 / 2.5, now: () => (units += 1), bytes: (64 / 2.5) * 2 ** 20}
}

function viewOf(sites: number) {
  return storeOf(
    ...Array.from({length: MAX_DOCUMENTS}, (_, number) => {
      const site = `site-${number % Math.ceil(sites)}`
      if (number < sites) return {_id: site, _type: 'site', publicId: `public-${number}`, name: site}
      const [name, type] = [`tool${number}`, number % 5 === 0 ? 'formTool' : 'tool']
      return {
        _id: name,
        _type: type,
        name,
        enabled: true,
        site: {_type: 'reference', _ref: site},
        pathPattern: '/**',
      }
    }),
  ).view('published')
}

const publicIds = Array.from({length: 500}, (_, number) => `public-${number}`)

test('a lake of the documented size refuses nothing that the service asks for', () => {
  for (const [shape, sites] of Object.entries(SHAPES)) {
    const view = viewOf(sites)
    const asked: [string, Record<string, unknown>][] = [
      [siteQuery, {publicId: 'public-0', served: ''}],
      [siteRevisionsQuery, {publicIds}],
      [changesQuery, {since: '1970-01-01T00:00:00Z'}],
    ]
    for (const [query, params] of asked)
      assert.ok(run(query, params, view, environment, bounds()).result !== null, shape)
  }
})

test('a lake says that it has more documents than it is made for', () => {
  assert.equal(sizeProblem(MAX_DOCUMENTS), undefined)
  assert.match(
    sizeProblem(MAX_DOCUMENTS + 1)?.message ?? '',
    /10001 documents, and is made for 10000: .*hosted Sanity/,
  )
})
