import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {SiteError} from '../../../service/errors.ts'
import {configFor} from '../../../service/site/answer.ts'
import {compileSite} from '../../../service/site/compile.ts'
import type {CompiledSite} from '../../../service/site/compiledSite.ts'
import {MAX_RECENT, SiteTexts} from '../../../service/site/siteTexts.ts'
import type {SiteDocument} from '../../../service/upstream/siteDocument.ts'

type ToolDocument = SiteDocument['tools'][number]

function siteOf(
  number: number,
  tools: number,
  fieldsOf: (tool: number) => Partial<ToolDocument>,
): SiteDocument {
  return {
    _id: `site-${number}`,
    _rev: `revision-of-site-${number}`,
    publicId: `public-${number}`,
    enabled: null,
    pollInterval: 300,
    formTools: [],
    tools: Array.from({length: tools}, (_, tool) => ({
      _id: `tool-${tool}-of-site-${number}`,
      _rev: `revision-of-tool-${tool}`,
      name: `tool${tool}`,
      description: 'Does it.',
      pathPattern: '/**',
      inputSchema: '{"type": "object", "properties": {}}',
      executeJs: 'return 1',
      exposedTo: [],
      annotations: null,
      title: null,
      outputSchema: null,
      ...fieldsOf(tool),
    })),
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** V8 frees what its caches of compiled code hold only after several collections. */
const COLLECTIONS = 8

/** Excludes compressed texts, which are outside of V8's heap. */
async function heapInUse(): Promise<number> {
  for (let times = 0; times < COLLECTIONS; times++) {
    await setImmediate()
    collectGarbage()
  }
  return process.memoryUsage().heapUsed
}

const KINDS: {
  readonly [name: string]: [sites: number, tools: number, (tool: number) => Partial<ToolDocument>]
} = {
  'ten tools for every page': [300, 10, () => ({})],
  'ten tools for one page each': [300, 10, (tool) => ({pathPattern: `/page-${tool}`})],
  'a hundred globs': [20, 100, (tool) => ({pathPattern: `/section-${tool}/*`})],
  'globs with many alternatives': [
    8,
    50,
    (tool) => ({pathPattern: `/1?/{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}/${'x'.repeat(90)}${tool}`}),
  ],
  'globs with many segments': [
    8,
    10,
    (tool) => ({pathPattern: `/${'?/'.repeat(80)}{a,b}{c,d}{e,f}{g,h}${tool}`}),
  ],
  'globs with many wildcards': [
    8,
    10,
    (tool) => ({pathPattern: `/${'ab*cd/'.repeat(38)}{a,b}{c,d}{e,f}${tool}`}),
  ],
  'exact paths with many alternatives': [
    8,
    50,
    (tool) => ({pathPattern: `/${tool}/{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}/${'x'.repeat(90)}`}),
  ],
  'tools that break a rule': [5, 500, () => ({name: 'not a name'})],
}

for (const [name, [sites, tools, fieldsOf]] of Object.entries(KINDS)) {
  test(`the size counted for a site of ${name} is close to the memory it takes`, async () => {
    const load = async (count: number) => {
      const compiled: CompiledSite[] = []
      for (let number = 0; number < count; number++) {
        const site = await compileSite(siteOf(number, tools, fieldsOf))
        for (const path of ['/', '/page-1']) configFor(site, path)
        compiled.push(site)
      }
      // Their texts replace those of the sites above.
      for (let number = 0; number < MAX_RECENT; number++) new SiteTexts(siteOf(number, 0, fieldsOf), [], [])
      return compiled
    }
    await load(1)
    const before = await heapInUse()
    const compiled = await load(sites)
    const taken = (await heapInUse()) - before
    const counted = compiled.reduce(
      (sum, {bytes, configs, texts}) => sum + bytes + configs.bytes - texts.bytes,
      0,
    )
    // The count also includes the entry's place in the caches and indexes, which is not measured here.
    assert.ok(counted >= taken * 0.9 && counted <= taken * 2, `${taken} bytes are counted as ${counted}`)
  })
}

test('a site whose patterns expand to too many paths is refused, however much memory there is', async () => {
  const document = siteOf(1, 1_000, (tool) => ({pathPattern: `/1?/{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}/${tool}`}))
  await assert.rejects(compileSite(document), (error) => {
    assert.ok(error instanceof SiteError)
    assert.match(error.message, /more than 100,000 path segments.*fewer alternatives in braces/)
    return true
  })
})

test('a site over the memory limit for one site is refused, with advice on what to do', async () => {
  const document = siteOf(1, 100, () => ({description: 'd'.repeat(3_000)}))
  assert.ok(await compileSite(document, undefined, 2 ** 20))
  await assert.rejects(compileSite(document, undefined, 2 ** 18), (error) => {
    assert.ok(error instanceof SiteError)
    assert.match(error.message, /0\.3 MB for one site, a quarter of SITE_MEMORY_MB\. Remove tools from it/)
    return true
  })
})
