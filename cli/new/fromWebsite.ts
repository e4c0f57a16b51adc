import {counted} from '../../common/text/counted.ts'
import {parseMadeTool} from '../../making/madeTool.ts'
import {distinctName, nameFromWords, patternOfSome, wordsOfPath} from '../../making/names.ts'
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
  const before = ids.size
  // Of the same thing on several pages, one.
  for (const same of Map.groupBy(found, ({key, told}) => key + told).values()) {
    const own = new Set(same.map(({path}) => path))
    const path = patternOfSome(own, all)
    const besides = wordsOfPath(path)
    const shown = same.reduce((best, one) => (best.problem ? one : best))
    // What two pages have can be named after one of them.
    const isOfAny =
      own.size > 2 && shown.ofAny && same.some(({description}) => description !== shown.description)
    const wanted = isOfAny ? nameFromWords(`get ${shown.noun} ${besides || 'of page'}`) : shown.name
    const description = isOfAny ? shown.ofAny : shown.description
    const problem = taken.get(shown.key) ?? (shown.problem || taken.get(description))
    if (problem) {
      say(`${wanted} on ${path} is left out: ${problem}`)
      continue
    }
    const name = distinctName(wanted, besides, names)
    const document = documentOf(site._id, shown, {name, description, path, enabled: false})
    const {id, files: parts} = filesOf(shown.type, document, ids)
    names.add(name)
    taken.set(description, SAID)
    ids.add(id)
    for (const [file, text] of parts) files.set(file, text)
    say(`${shown.type}/${id}.json on ${path}: ${shown.called}`)
  }
  await writeChanges(directory, files)
  const written = `${counted(ids.size - before, 'tool')} written, and switched off: read and call each, and set "enabled" to true.`
  console.out(`\n${files.size === 0 ? 'Nothing is written.' : written}\n`)
  return files.size > 0 ? 0 : 2
}

/** Others wrote the pages: it is read as what a page hands to Studio. */
function readFound(found: Fields) {
  const {type: made, fields: given, told, isCalled, problem, ofAny, noun} = found
  const parsed = parseMadeTool(found)
  const {type, document: fields} = parsed.ok ? parsed.value : {type: 'tool' as const, document: Object(given)}
  return {
    name: textOf(fields.name),
    description: textOf(fields.description),
    path: textOf(fields[pagesFieldOf(String(made))]),
    key: keyOf(fields),
    told: textOf(told),
    ofAny: textOf(ofAny),
    noun: textOf(noun),
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
