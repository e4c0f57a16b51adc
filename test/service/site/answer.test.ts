import assert from 'node:assert/strict'
import test from 'node:test'
import {configFor} from '../../../service/site/answer.ts'
import {siteQuery} from '../../../service/upstream/queries.ts'
import {compileSite} from '../support/compile.ts'
import {toolOf} from '../support/entries.ts'

const toolFor = (pathPattern: string, number: number) => toolOf(number, {pathPattern})

const SITE = {_id: 'site', _rev: 'first', publicId: 'shop-public', enabled: null, pollInterval: 300}

const site = await compileSite({
  ...SITE,
  tools: ['/**', '/cart', '/cart/*', '/blog/**'].map(toolFor),
  formTools: [],
})

test('pages with the same tools share one config', () => {
  assert.equal(configFor(site, '/cart/1'), configFor(site, '/cart/2?page=1'))
  assert.notEqual(configFor(site, '/cart/1'), configFor(site, '/cart'))
  assert.equal(configFor(site, undefined), configFor(site, undefined))
  const all = JSON.parse(configFor(site, undefined).encode().toString())
  assert.equal(all.tools.length, 4)
})

test('a config can stand in a script element of a page', async () => {
  const description = 'Ends </script><!--<script> here, a < b'
  const tool = {...toolFor('/**', 1), description}
  const text = configFor(await compileSite({...SITE, tools: [tool], formTools: []}), '/')
    .encode()
    .toString()
  assert.doesNotMatch(text, /<[/!]/)
  assert.equal(JSON.parse(text).tools[0].description, description)
})

test('tests of a tool are not fetched, and change neither the body nor the tag', async () => {
  assert.doesNotMatch(siteQuery, /\btests\b/)
  const bytesOf = async (tests: object) => {
    const tool = {...toolFor('/**', 1), ...tests}
    const {name, description, _id, _rev} = tool
    const form = {
      _id: `form-${_id}`,
      _rev,
      name: `${name}Form`,
      description,
      pagePath: '/**',
      selector: 'form',
      ...tests,
    }
    const config = configFor(await compileSite({...SITE, tools: [tool], formTools: [form]}), '/')
    return [config.entityTag, String(config.encode())]
  }
  assert.deepEqual(await bytesOf({tests: [{title: 'Works', page: '/'}]}), await bytesOf({}))
})

test('pages never share a config by coincidence: different sets of positions are distinguished', async () => {
  const many = await compileSite({
    ...SITE,
    tools: Array.from({length: 23}, (_, number) => toolFor(number === 22 ? '/b' : `/{a${number},b}`, number)),
    formTools: [],
  })
  const tags = ['/a1', '/a2', '/a12', '/b'].map((path) => configFor(many, path).entityTag)
  assert.equal(new Set(tags).size, 4)
})

test('the cached configs of a site are bounded, and the oldest is evicted first', async () => {
  const tools = Array.from({length: 1_001}, (_, number) => toolFor(`/${number}`, number))
  const many = await compileSite({...SITE, tools, formTools: []})
  for (const number of tools.keys()) configFor(many, `/${number}`)
  assert.deepEqual([many.configs.size, many.configs.has('0'), many.configs.has('1000')], [1_000, false, true])
})
