import {hash} from 'node:crypto'
import {uuidOf} from '../service/site/uuid.ts'
import type {SiteDocument} from '../service/upstream/siteDocument.ts'
import {siteOfTools} from '../test/service/support/entries.ts'

/** Number of tools on every page of a site. They share the bytes of its smallest config. */
const EVERYWHERE = 5

/** Size of any other tool in a config, in bytes. */
const TYPICAL = 1_024

/** Size in bytes of a tool in a config without its description and script, and of a config without its tools. */
const AROUND_TEXT = 286
const AROUND_TOOLS = 96

const INPUT_SCHEMA = JSON.stringify({
  type: 'object',
  properties: {search: {type: 'string', description: 'Words.'}},
})

/**
 * @param tools the number of enabled tools
 * @param bytes the size of the config of a page that has no tools of its own, approximately
 * @param serial tells sites of one size apart
 * @returns the path of the config of the home page of a generated site
 */
export function configPath(tools: number, bytes: number, serial = 0): string {
  return `/api/sites/tools-${tools}-bytes-${bytes}-${serial}/config?path=/`
}

/** Returns the published site with this public ID in the format of a Content Lake. It is generated from the ID alone. */
export function documentFor(publicId: string): SiteDocument | null {
  const [, count, bytes] = /^tools-(\d+)-bytes-(\d+)-\d+$/.exec(publicId)?.map(Number) ?? []
  if (count === undefined || bytes === undefined) return null
  const everywhere = Math.min(count, EVERYWHERE)
  const share = Math.floor((bytes - AROUND_TOOLS) / everywhere)
  const site = siteOfTools(0, count, (number) => {
    const isEverywhere = number < everywhere
    const length = (isEverywhere ? share : TYPICAL) - AROUND_TEXT
    const section = number - everywhere
    const described = Math.min(250, Math.floor(length / 2))
    return {
      _id: uuidOf(`tool-${number}-${publicId}`),
      name: `searchProducts${String(number).padStart(5, '0')}`,
      pathPattern: isEverywhere ? '/**' : `/section-${section}/${['page', '*', '**'][section % 3]}`,
      inputSchema: INPUT_SCHEMA,
      description: textOf(described, number),
      executeJs: `// ${textOf(length - described - 3, -number)}`,
    }
  })
  return {...site, _id: `site-${publicId}`, publicId, pollInterval: 60, reportCalls: false}
}

/** A text that a compressor halves and more, as real ones: words and a few random characters. */
function textOf(length: number, seed: number): string {
  const ofPart = (at: number) => `search the products of ${hash('sha1', `${seed} ${at}`).slice(0, 6)}`
  const words = Array.from({length: length / 30 + 1}, (_, at) => ofPart(at))
  return `${words.join(' ').slice(0, length - 1)}.`
}
