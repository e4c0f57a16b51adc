import {errorMessage} from '../../common/errorMessage.ts'
import {counted} from '../../common/text/counted.ts'
import {withTimeout} from '../../common/timeout.ts'
import {parseMadeTool} from '../../making/madeTool.ts'
import {distinctName, nameFromWords} from '../../making/names.ts'
import {pagesFieldOf} from '../../schemas/documents.ts'
import {type Fields, isRecord} from '../../schemas/record.ts'
import {pageToolsOf} from '../../schemas/rules/names/toolName.ts'
import {typedAddress} from '../../schemas/rules/origin.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {writeChanges} from '../changes.ts'
import {CommandError, type Console} from '../command.ts'
import {playwrightTest} from '../playwright.ts'
import {printable} from '../printable.ts'
import {documentOf, filesOf, openPlace, type Place} from './starts.ts'
import {openWebsite} from './website.ts'

/** Milliseconds that Chromium has to close. */
const CLOSED_WITHIN = 10_000

/** What is on pages with more addresses than this is on every page. */
const MAX_PLACES = 2

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
  // Of the same thing on several pages, one.
  for (const same of Map.groupBy(
    pages.flatMap(({found}) => found.map(readFound)),
    ({key, columns}) => key + columns,
  ).values()) {
    const places = new Set(same.map(({path}) => path))
    const [first = '/**'] = places
    const path = places.size > MAX_PLACES ? '/**' : first
    const [one] = same.toSorted((a, b) => Number(a.problem !== '') - Number(b.problem !== ''))
    const existing = one && known.get(one.key)
    if (existing) {
      say(`${existing} on ${path}: there already`)
      count.known += 1
      continue
    }
    const told = one && path === '/**' ? neutral(one, same) : one
    const problem = descriptions.has(textOf(told?.description))
      ? 'Another tool says the same of itself.'
      : one?.problem
    if (one?.made && told && problem === '') {
      const {type, document: fields} = one.made
      const {description} = told
      const name = distinctName(told.name, wordsOf(path), names)
      names.add(name)
      descriptions.add(description)
      const {id, files: own} = filesOf(
        type,
        documentOf(site._id, {type, fields}, {name, description, path, enabled: false}),
        ids,
      )
      ids.add(id)
      for (const [file, text] of own) files.set(file, text)
      count.written += 1
      const called = one.isCalled ? 'called once, works' : 'not called, it may change something'
      say(`${type}/${id}.json on ${path}: ${called}`)
    } else say(`${one?.name} on ${path} is left out: ${problem}`)
  }
  await writeChanges(directory, files)
  const written = `${counted(count.written, 'tool')} written, and switched off: read and call each, and set "enabled" to true.`
  say('')
  say(count.written === 0 ? 'Nothing is written.' : written)
  return count.written + count.known === 0 ? 2 : 0
}

/** What is on every page is not named after one of them. */
function neutral<T extends {name: string; description: string}>(one: T, same: readonly T[]) {
  const {name, description} = one
  const [, returns, noun, columns = '.'] = /^(Returns the (\w+) of ).*?(: [^”]*)?$/.exec(description) ?? []
  if (!noun || same.every((other) => other.name === name)) return {name, description}
  return {name: nameFromWords(`get ${noun} of page`), description: `${returns}the page${columns}`}
}

/** What tells what a page has from what others have: “of sale”. */
function wordsOf(path: string): string {
  const words = path.replaceAll('*', '').split('/').filter(Boolean).at(-1)
  return path === '/**' ? '' : `of ${words ?? 'home page'}`
}

/** @throws CommandError that says what is missing */
async function launch(origin: string) {
  playwrightTest()
  const [{chromium}, {withWebMcp}] = await Promise.all([
    import('@playwright/test'),
    import('../test/browser.ts'),
  ])
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
  return {
    name: textOf(given.name),
    description: textOf(given.description),
    // Of a table, which is another thing with other ones.
    columns: /^Returns the rows of .*(: .*)$/.exec(textOf(given.description))?.[1] ?? '',
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
