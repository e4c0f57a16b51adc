import assert from 'node:assert/strict'
import {test} from 'node:test'
import {askFrom} from '../../support/client.ts'
import {runLake} from '../support/lake.ts'

const STRANGER = '127.0.0.5'
/** A text that only a draft contains. */
const SECRET = 'launch-2027'

const documents = {
  'post/a.json': {
    _id: 'a',
    _type: 'post',
    title: 'A',
    ref: {_type: 'reference', _ref: 'drafts.secret', _weak: true},
  },
}

/** Queries that refer to a draft in every way GROQ has. */
const queries = [
  '*',
  '*[_id in path("drafts.**")]',
  '*[_id == "drafts.secret"]',
  '*[_id match "drafts*"]',
  '*[_id in ["drafts.secret", "a"]].title',
  '*[references("drafts.secret")]{"t": ref->title}',
  '*[_id == "a"]{"draft": ref->, "title": ref->title, "up": *[_id == ^.ref._ref]}',
  '*[_id == "a"][0].ref->title',
  '*[sanity::versionOf("secret")]',
  'count(*[title == "launch-2027"])',
  '*[title match "launch*"]',
]

/** Ways to request a perspective other than the published one. */
const variants: [version: string, search: string][] = [
  ['v2025-02-19', ''],
  ['v2025-02-19', '&perspective=drafts'],
  ['v2025-02-19', '&perspective=raw'],
  ['v2025-02-19', '&perspective=previewDrafts'],
  ['v2025-02-19', '&perspective=published&perspective=raw'],
  ['v2025-02-19', '&perspective=raw&perspective=published'],
  ['v2025-02-19', '&perspective=drafts,published'],
  ['v2025-02-19', '&perspective=published,drafts'],
  ['v2025-02-19', '&perspective=RAW'],
  ['v2025-02-19', '&perspective[]=raw'],
  ['v2025-02-19', '&perspective='],
  ['v2025-02-19', '&perspective=%20raw'],
  ['v1', ''],
  ['v1', '&perspective='],
  ['vX', ''],
  ['v1970-01-01', ''],
  ['v9999-12-31', ''],
]

test('a stranger cannot read a draft with any query, perspective or version', async (t) => {
  const lake = await runLake(t, documents)
  await lake.client.create({_id: 'drafts.secret', _type: 'post', title: SECRET})
  const found = await lake.client.fetch<unknown>(
    '*[_id == "drafts.secret"][0].title',
    {},
    {perspective: 'raw'},
  )
  assert.equal(found, SECRET)
  const ask = async (url: string, body?: object) => {
    const {status, body: text} = await askFrom(STRANGER, `${lake.address}${url}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify(body),
      }),
    })
    // An error repeats the query, which may contain the title.
    if (status === 200) {
      const result: unknown = JSON.parse(text)
      assert.ok(typeof result === 'object' && result !== null && 'result' in result)
      assert.doesNotMatch(
        JSON.stringify(result.result),
        new RegExp(`${SECRET}|drafts\\.secret","|[1-9]`),
        url,
      )
    } else assert.ok([400, 401].includes(status), `${status} ${url}`)
  }
  for (const query of queries) {
    // A published document may reference a draft: its own reference is not secret.
    const plain = query === '*' ? '*{_id, title}' : query
    for (const [version, search] of variants)
      await ask(`/${version}/data/query/production?query=${encodeURIComponent(plain)}${search}`)
    await ask('/v2025-02-19/data/query/production', {query: plain, params: {}, perspective: 'raw'})
    await ask('/v1/data/query/production?perspective=published', {query: plain, perspective: 'drafts'})
  }
})
