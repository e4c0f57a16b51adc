import {counted} from '../../common/text/counted.ts'
import {parseMadeTool} from '../../making/madeTool.ts'
import {alikeOf, distinctName, nameFromWords} from '../../making/names.ts'
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

const SAID = 'Another tool says the same of itself.'

/** `content new --from`: documents for what the pages of a website have, switched off. */
export async function makeFromWebsite(address: string, place: Place, console: Console): Promise<number> {
  const start = typedAddress(address)
  if (start === undefined)
    throw new CommandError(`"${address}" is not an address such as https://www.example.com.`)
  const {directory, site, tools, ids} = await openPlace(place, console, start.origin)
  playwrightTest()
  const {openWebsite} = await import('./website.ts')
  const pages = await openWebsite(start)
  const say = (line: string) => console.out(`${printable(line)}\n`)
  for (const {path, problem, found} of pages) say(`${path}: ${found.length} found. ${problem ?? ''}`.trim())
  say('')
  const names = new Set([...tools.map(({name}) => textOf(name)), ...pageToolsOf(site)])
  const taken = new Map<string, string>()
  for (const tool of tools)
    taken
      .set(textOf(tool.description), SAID)
      .set(keyOf(tool), `${tool._type}/${tool._id}.json is there already.`)
  const files = new Map<string, string>()
  const found = pages.flatMap((page) => page.found.map(readFound))
  const all = new Set(found.map(({path}) => path))
  const isAgain = found.some(({key}) => taken.has(key))
  const before = ids.size
  // Of the same thing on several pages, one.
  for (const same of Map.groupBy(found, ({key, told}) => key + told).values()) {
    const own = new Set(same.map(({path}) => path))
    const path = patternFor(own, all)
    const besides = wordsOf(path)
    const shown = same.reduce((best, one) => (one.problem.length < best.problem.length ? one : best))
    // What two pages have can be named after one of them.
    const one = own.size > 2 ? neutral(shown, same, besides) : shown
    const {type, fields, description} = one
    const problem = taken.get(one.key) ?? (one.problem || taken.get(description))
    if (problem) {
      say(`${one.name} on ${path} is left out: ${problem}`)
      continue
    }
    const name = distinctName(one.name, besides, names)
    const document = documentOf(site._id, {type, fields}, {name, description, path, enabled: false})
    const {id, files: parts} = filesOf(type, document, ids)
    names.add(name)
    taken.set(description, SAID)
    ids.add(id)
    for (const [file, text] of parts) files.set(file, text)
    say(`${type}/${id}.json on ${path}: ${one.called}`)
  }
  await writeChanges(directory, files)
  const written = `${counted(ids.size - before, 'tool')} written, and switched off: read and call each, and set "enabled" to true.`
  console.out(`\n${files.size === 0 ? 'Nothing is written.' : written}\n`)
  return files.size > 0 || isAgain ? 0 : 2
}

/** The pages that have the same: pages like one of them if no others are, else all if most have it, else each of them. */
function patternFor(own: ReadonlySet<string>, all: ReadonlySet<string>): string {
  const [first = '/**', ...others] = own
  if (others.length === 0) return first
  const alike = alikeOf(first)
  if ([...all].every((path) => own.has(path) === (alikeOf(path) === alike))) return alike
  const each = `/{${[...own].map((path) => path.slice(1).replaceAll(',', '%2C')).join()}}`
  return own.has('/**') || own.size * 2 > all.size || !parsePathPattern(each).ok ? '/**' : each
}

/** Of what many pages have, words that hold on each of them. */
function neutral(one: Found, same: readonly Found[], besides: string): Found {
  const [, noun] = /^Returns the (\w+) of /.exec(one.description) ?? []
  if (!noun || same.every(({description}) => description === one.description)) return one
  const description = one.description.replace(/ of .*?(?=(?:: [^”]*)?$)/, ' of the page')
  return {...one, name: nameFromWords(`get ${noun} ${besides || 'of page'}`), description}
}

/** What tells what a page has from what others have: “of sale”. */
function wordsOf(path: string): string {
  const [, last = path === '/' ? 'home page' : ''] = /([^/*{}]+)[/*]*$/.exec(path) ?? []
  return last && `of ${last}`
}

type Found = ReturnType<typeof readFound>

/** Others wrote the pages: it is read as what a page hands to Studio. */
function readFound(found: Fields) {
  const {type: made, fields: given, told, isCalled, problem} = found
  const parsed = parseMadeTool(found)
  const {type, document: fields} = parsed.ok ? parsed.value : {type: 'tool' as const, document: Object(given)}
  return {
    name: textOf(fields.name),
    description: textOf(fields.description),
    path: textOf(fields[pagesFieldOf(String(made))]),
    key: keyOf(fields),
    told: textOf(told),
    type,
    fields,
    called: isCalled === true ? 'called once, works' : 'not called, it may change something',
    problem: textOf(problem) || (parsed.ok ? '' : parsed.problem),
  }
}

/**
 * What a tool does: its request, what it reads, or its form, without values that one page gave it, and names that headings
 * gave. Files have sorted members.
 */
function keyOf({request, reading, selector}: Fields): string {
  return JSON.stringify([request, reading, selector], (key, value: unknown) => {
    if (key === 'value' || key.startsWith('_')) return undefined
    if (!isRecord(value)) return value
    const {name: _name, ...others} = value
    return Object.fromEntries(Object.entries('selector' in value ? others : value).sort())
  })
}
