import {errorMessage} from '../../common/errorMessage.ts'
import {counted} from '../../common/text/counted.ts'
import {withTimeout} from '../../common/timeout.ts'
import {freeName} from '../../making/names.ts'
import {taken} from '../../schemas/document.ts'
import {siteOf} from '../../schemas/documents.ts'
import {counts} from '../../schemas/field.ts'
import {problemsOf, TOOL_DECLARATIONS} from '../../schemas/index.ts'
import {type Fields, isRecord} from '../../schemas/record.ts'
import {pageToolsOf} from '../../schemas/rules/names/toolName.ts'
import {typedAddress} from '../../schemas/rules/origin.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {assertWorkTree, writeChanges} from '../changes.ts'
import {CommandError, type Console} from '../command.ts'
import {readSnapshot} from '../diff/snapshot.ts'
import {contentDirectory} from '../directory.ts'
import {documentsIn} from '../documents.ts'
import {playwrightTest} from '../playwright.ts'
import {printable} from '../printable.ts'
import {chooseSite} from '../site.ts'
import {readWorkTree} from '../source/workTree.ts'
import {documentOf, filesOf} from './starts.ts'
import {openWebsite} from './website.ts'

/** Milliseconds that Chromium has to close. */
const CLOSED_WITHIN = 10_000

/** What is on pages with more addresses than this is on every page. */
const MAX_PLACES = 2

type Found = {
  readonly type: 'tool' | 'formTool'
  readonly name: string
  readonly description: string
  /** The patterns of the pages that have it. */
  readonly places: Set<string>
  readonly fields: Fields
  readonly isCalled: boolean
  /** Why no document is made of it. */
  readonly problem: string
}

/** `content new --from`: documents for what the pages of a website have, switched off. */
export async function makeFromWebsite(
  address: string,
  {site: wanted, given}: {site: string | undefined; given: string | undefined},
  console: Console,
): Promise<number> {
  const start = typedAddress(address)
  if (start === undefined)
    throw new CommandError(`"${address}" is not an address such as https://www.example.com.`)
  const directory = await contentDirectory(given, console)
  await assertWorkTree(directory, 'write to')
  const source = await readWorkTree(directory)
  const documents = readSnapshot(source)
  const site = chooseSite(documents, wanted, start.origin)
  const browser = await launch(start.origin)
  const pages = await openWebsite(browser, start).finally(() => withTimeout(CLOSED_WITHIN, browser.close()))
  const say = (line: string) => console.out(`${printable(line)}\n`)
  for (const {path, problem, found} of pages) say(`${path}: ${found.length} found. ${problem ?? ''}`.trim())

  const tools = [...documents.values()].filter((one) => siteOf(one) === site._id)
  const names = new Set([...tools.map(({name}) => textOf(name)), ...pageToolsOf(site)])
  const known = new Map(tools.map((tool) => [keyOf(tool), `${tool._type}/${tool._id}.json`]))
  const ids = new Set(documentsIn(source).map(({key}) => key.id.toLowerCase()))
  const files = new Map<string, string>()
  let count = 0
  let isKnown = false
  say('')
  for (const one of together(pages.flatMap(({found}) => found))) {
    const {type, places, isCalled, problem} = one
    const [first = '/**'] = places
    const pattern = places.size > MAX_PLACES ? '/**' : first
    const existing = known.get(keyOf(one.fields))
    if (existing !== undefined) {
      say(`${existing} on ${pattern}: there already`)
      isKnown = true
      continue
    }
    const name = freeName(one.name, names)
    const {description} = one
    const document = documentOf(site._id, one, {name, description, path: pattern, enabled: false})
    const [broken] = problemsOf(type, document)
    const reason = problem || broken?.problem
    if (reason) {
      say(`${one.name} on ${pattern} is left out: ${reason}`)
      continue
    }
    names.add(name)
    const {id, files: own} = filesOf(type, document, ids)
    ids.add(id)
    for (const [path, text] of own) files.set(path, text)
    count += 1
    say(
      `${type}/${id}.json on ${pattern}: ${isCalled ? 'called once, works' : 'not called, it may change something'}`,
    )
  }
  await writeChanges(directory, files)
  say('')
  say(
    count === 0
      ? 'Nothing is written.'
      : `${counted(count, 'tool')} written, and switched off: read and call each, and set "enabled" to true.`,
  )
  return count === 0 && !isKnown ? 2 : 0
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

/** Of the same thing on several pages, one. Others wrote the pages: only declared fields are taken. */
function together(found: readonly unknown[]): Found[] {
  const byKey = new Map<string, Found>()
  for (const one of found) {
    const {type, name, description, pages, fields, isCalled, problem} = isRecord(one) ? one : {}
    if ((type !== 'tool' && type !== 'formTool') || !isRecord(fields)) continue
    const declared = TOOL_DECLARATIONS[type].fields.filter(
      (field) => field.isHandedOver && counts(field, fields),
    )
    const own = taken(declared, fields)
    const key = keyOf(own)
    const known = byKey.get(key)
    known?.places.add(textOf(pages))
    if (known === undefined || (known.problem !== '' && !problem))
      byKey.set(key, {
        type,
        name: textOf(name),
        description: textOf(description),
        places: known?.places ?? new Set([textOf(pages)]),
        fields: own,
        isCalled: isCalled === true,
        problem: textOf(problem),
      })
  }
  return [...byKey.values()]
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
