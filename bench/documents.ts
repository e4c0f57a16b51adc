import {uuidOf} from '../service/site/uuid.ts'
import type {SiteDocument} from '../service/upstream/siteDocument.ts'

/** Number of tools on every page of a site. They share the bytes of its smallest config. */
const EVERYWHERE = 5

/** Size of any other tool in a config, in bytes. */
const TYPICAL = 1_024

/** Size in bytes of a tool in a config without its description and script, and of a config without its tools. */
const AROUND_TEXT = 333
const AROUND_TOOLS = 96

const PROPERTIES = {
  search: {type: 'string', description: 'What to look for.'},
  limit: {type: 'integer', minimum: 1},
}
const INPUT_SCHEMA = JSON.stringify({type: 'object', properties: PROPERTIES})

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
  const tools = Array.from({length: count}, (_, number) => ({
    _id: uuidOf(`tool-${number}-${publicId}`),
    _rev: 'revision',
    name: `searchProducts${String(number).padStart(5, '0')}`,
    inputSchema: INPUT_SCHEMA,
    ...(number < everywhere
      ? {pathPattern: '/**', ...textsOf(share - AROUND_TEXT, number)}
      : {pathPattern: patternOf(number - everywhere), ...textsOf(TYPICAL - AROUND_TEXT, number)}),
    ...{exposedTo: null, annotations: null, title: null, outputSchema: null},
  }))
  const site = {_id: `site-${publicId}`, _rev: 'revision', publicId, enabled: null, pollInterval: 60}
  return {...site, reportCalls: false, tools, formTools: []}
}

/** The pattern of a tool that only some pages have: 60 % match one page, 25 % the pages of a section, 15 % all of it. */
function patternOf(section: number): string {
  const kind = section % 20
  if (kind < 12) return `/section-${section}/page-${section}`
  return kind < 17 ? `/section-${section}/*` : `/section-${section}/**`
}

const WORDS = (
  'account add address agent available basket book by cancel cart category change checkout colour contact customer date delivery ' +
  'detail discount each email fetch filter find first free from give hotel id in item latest list message more name number of offer ' +
  'open order page paid pay person price product quantity rating read refund result return review room save search selected send shop'
).split(' ')

/** A description and a script that resemble real ones, also to a compressor, and are this long together. */
function textsOf(length: number, seed: number): {description: string; executeJs: string} {
  // https://en.wikipedia.org/wiki/Linear_congruential_generator, with the parameters of Numerical Recipes.
  let state = seed
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return WORDS[Math.floor((state / 2 ** 32) * WORDS.length)] ?? ''
  }
  const textOf = (size: number, part: () => string) => {
    let text = ''
    while (text.length < size) text += part()
    return text.slice(0, size)
  }
  const described = Math.min(250, Math.floor(length / 2))
  const call = () =>
    `await fetch('/api/${word()}?${word()}=' + args.${word()}).then((answer) => answer.json())\n`
  const comment = '// '
  return {
    description: textOf(described, () => `${word()} `).replace(/.$/, '.'),
    // It is never run: a comment may end anywhere.
    executeJs: comment + textOf(length - described - comment.length, () => call().replace('\n', '; ')),
  }
}
