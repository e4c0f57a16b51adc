import {errorMessage} from '../../common/errorMessage.ts'
import {counted} from '../../common/text/counted.ts'
import {withTimeout} from '../../common/timeout.ts'
import {parseMadeTool} from '../../making/madeTool.ts'
import {distinctName, nameFromWords} from '../../making/names.ts'
import {pagesFieldOf} from '../../schemas/documents.ts'
import {type Fields, isRecord} from '../../schemas/record.ts'
import {pageToolsOf} from '../../schemas/rules/names/toolName.ts'
import {typedAddress} from '../../schemas/rules/origin.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {writeChanges} from '../changes.ts'
import {CommandError, type Console} from '../command.ts'
import {playwrightTest} from '../playwright.ts'
import {printable} from '../printable.ts'
import {documentOf, filesOf, openPlace, type Place} from './starts.ts'
import {openWebsite} from './website.ts'

/** Milliseconds that Chromium has to close. */
const CLOSED_WITHIN = 10_000

/** What is on more pages is not named after one of them. */
const MAX_NAMED = 2

/** `content new --from`: documents for what the pages of a website have, switched off. */
export async function makeFromWebsite(address: string, place: Place, console: Console): Promise<number> {
  const start = typedAddress(address)
  if (start === undefined)
    throw new CommandError(`"${address}" is not an address such as https://www.example.com.`)
  const {directory, site, tools, ids} = await openPlace(place, console, start.origin)
  const browser = await launch(start.origin)
  const pages = await openWebsite(browser, start).finally(() => withTimeout(CLOSED_WITHIN, browser.close()))
  const say = (line: string) => console.out(`${printable(line)}\n`)
  for (const {path, problem, found} of pages) say(`${path}: ${found.length} found. ${problem ?? ''}`.trim())
  say('')
  const names = new Set([...tools.map(({name}) => textOf(name)), ...pageToolsOf(site)])
  const known = new Map(tools.map((tool) => [keyOf(tool), `${tool._type}/${tool._id}.json`]))
  const descriptions = new Set(tools.map(({description}) => textOf(description)))
  const files = new Map<string, string>()
  const count = {written: 0, known: 0}
  const found = pages.flatMap((page) => page.found.map(readFound))
  const allPlaces = new Set(found.map(({path}) => path))
  // Of the same thing on several pages, one.
  for (const same of Map.groupBy(found, ({key, columns}) => key + columns).values()) {
    const places = new Set(same.map(({path}) => path))
    const path = patternFor(places, allPlaces)
    const [one] = same.toSorted((a, b) => a.problem.length - b.problem.length)
    const existing = one && known.get(one.key)
    if (existing) {
      say(`${existing} on ${path}: there already`)
      count.known += 1
    } else if (one?.made && one.problem === '') {
      const {type, document: fields} = one.made
      const {name: wanted, description} = places.size > MAX_NAMED ? neutral(one, same, wordsOf(path)) : one
      if (descriptions.has(description)) {
        say(`${wanted} on ${path} is left out: Another tool says the same of itself.`)
        continue
      }
      descriptions.add(description)
      const name = distinctName(wanted, wordsOf(path), names)
      const document = documentOf(site._id, {type, fields}, {name, description, path, enabled: false})
      const {id, files: own} = filesOf(type, document, ids)
      names.add(name)
      ids.add(id)
      for (const [file, text] of own) files.set(file, text)
      count.written += 1
      const called = one.isCalled ? 'called once, works' : 'not called, it may change something'
      say(`${type}/${id}.json on ${path}: ${called}`)
    } else say(`${one?.name} on ${path} is left out: ${one?.problem}`)
  }
  await writeChanges(directory, files)
  const written = `${counted(count.written, 'tool')} written, and switched off: read and call each, and set "enabled" to true.`
  console.out(`\n${count.written === 0 ? 'Nothing is written.' : written}\n`)
  return count.written + count.known === 0 ? 2 : 0
}

/** The pages that have the same: a folder in which no others are, else all if most have it, else each of them. */
function patternFor(own: ReadonlySet<string>, all: ReadonlySet<string>): string {
  const [first = '/**', ...others] = own
  if (others.length === 0) return first
  let folder = first.replace(/[^/]*$/, '')
  while (!others.every((path) => path.startsWith(folder))) folder = folder.replace(/[^/]*\/$/, '')
  if (![...all].some((path) => path.startsWith(folder) && !own.has(path))) return `${folder}**`
  const each = `/{${[...own].map((path) => path.slice(1).replaceAll(',', '%2C')).join()}}`
  return own.has('/**') || own.size * 2 > all.size || !parsePathPattern(each).ok ? '/**' : each
}

/** Of what many pages have, words that hold on each of them. */
function neutral<T extends {name: string; description: string}>(one: T, same: readonly T[], place: string) {
  const [, returns, noun, columns = '.'] =
    /^(Returns the (\w+) of ).*?(: [^”]*)?$/.exec(one.description) ?? []
  if (!noun || same.every(({description}) => description === one.description)) return one
  const name = nameFromWords(`get ${noun} ${place || 'of page'}`)
  return {name, description: `${returns}the page${columns}`}
}

/** What tells what a page has from what others have: “of sale”. */
function wordsOf(path: string): string {
  const [, last = path === '/' ? 'home page' : ''] = /([^/*{}]+)[/*]*$/.exec(path) ?? []
  return last && `of ${last}`
}

/** @throws CommandError that says what is missing */
async function launch(origin: string) {
  playwrightTest()
  const {chromium} = await import('@playwright/test')
  const {withWebMcp} = await import('../test/browser.ts')
  return chromium.launch(withWebMcp({}, origin)).catch((error: unknown) => {
    const [reason] = errorMessage(error).split('\n')
    throw new CommandError(
      `Chromium does not start: ${reason} "npx playwright install chromium" installs it.`,
    )
  })
}

/** Others wrote the pages: it is read as what a page hands to Studio. */
function readFound(found: unknown) {
  const {made, isCalled, problem} = isRecord(found) ? found : {}
  const {type, fields} = isRecord(made) ? made : {}
  const given = isRecord(fields) ? fields : {}
  const parsed = parseMadeTool(made)
  const description = textOf(given.description)
  return {
    name: textOf(given.name),
    description,
    // Of a table and of a form, which is another thing with other ones.
    columns: (type === 'tool' ? /^Returns the rows of .*(: .*)$/ : /(?:: | by ).*$/)
      .exec(description)
      ?.at(-1),
    path: textOf(given[pagesFieldOf(textOf(type))]),
    key: keyOf(parsed.ok ? parsed.value.document : given),
    made: parsed.ok ? parsed.value : undefined,
    isCalled: isCalled === true,
    problem: textOf(problem) || (parsed.ok ? '' : parsed.problem),
  }
}

/**
 * What a tool does: its request, what it reads, or its form, without values that one page gave it, and names that headings
 * gave. Files have sorted members.
 */
function keyOf({request, reading, selector}: Fields): string {
  return JSON.stringify([request, reading, selector], (key, value: unknown) => {
    if (key.startsWith('_')) return undefined
    if (!isRecord(value)) return value
    const {value: _value, name, ...known} = value
    const kept = 'selector' in value ? known : {...known, name}
    return Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
