import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {Entries} from '../../../service/cache/entries.ts'
import {configFor} from '../../../service/site/answer.ts'
import {entryOf, siteOfTools, type ToolDocument} from '../support/entries.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Some objects are freed only after several collections. */
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
  'ten tools for every page': [200, 10, () => ({})],
  'ten tools for one page each': [200, 10, (tool) => ({pathPattern: `/page-${tool}`})],
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
    const entries = new Entries(Number.MAX_SAFE_INTEGER)
    const load = async (first: number) => {
      let counted = 0
      for (let number = first; number < first + sites; number++) {
        const document = siteOfTools(number, tools, fieldsOf)
        const entry = await entryOf(document.publicId, document)
        assert.ok(entry.site)
        for (const path of ['/', '/page-1']) configFor(entry.site, path)
        entries.set(entry)
        counted += entry.site.bytes - entry.site.texts.bytes
      }
      return counted
    }
    // The first sites also need what all sites share: the tables of the cache, and code, which V8 compiles in several steps.
    for (let times = 0; times < 4; times++) await load(0)
    const before = await heapInUse()
    const counted = await load(sites)
    const taken = (await heapInUse()) - before
    assert.ok(counted >= taken * 0.9 && counted <= taken * 2, `${taken} bytes are counted as ${counted}`)
  })
}
