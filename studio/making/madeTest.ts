import type {MadeTest} from '../../making/studioLink.ts'
import {type StoredDocument, siteOf, type Versions} from '../../schemas/documents.ts'
import {MAX_TESTS, parseTests, type ToolTest} from '../../schemas/fields/tests.ts'
import {type Fields, isRecord} from '../../schemas/record.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {hasTest} from '../../verdicts/kept.ts'
import {entryOf} from '../parts/keyed.ts'

/** The tool that a test is for, and what has to be written. */
type TestedDraft = {
  readonly id: string
  readonly siteId: string
  readonly type: 'tool' | 'formTool'
  readonly name: string
  /** Written if there is no draft yet: the published document. */
  readonly created: (Fields & {readonly _id: string; readonly _type: string}) | undefined
  /** Undefined: the draft has the test already. */
  readonly added: Fields | undefined
}

/** An ID of a document, without the parts that make it a draft or a version. */
const ID = /^(?!drafts\.|versions\.)[\w.-]{1,160}$/

/** Reads what a page handed to Studio. Any page can do so: only known fields are taken, by the rules for tests. */
export function parseMadeTest(value: unknown): Parsed<MadeTest> {
  const {id, test} = isRecord(value) ? value : {}
  if (typeof id !== 'string' || !ID.test(id)) return refuse('The link has no test of a tool.')
  const parsed = parseTests([test])
  if (!parsed.ok) return parsed
  const [only] = parsed.value
  return only === undefined ? refuse('The link has no test of a tool.') : accept({id, test: only})
}

/**
 * Adds a test to the draft of its tool, after those that are there, with a title that no other has.
 * @param versions the tool as it is stored
 */
export function addTest(test: ToolTest, versions: Versions | undefined): Parsed<TestedDraft> {
  const {draft, published} = versions ?? {}
  const document = draft ?? published
  const siteId = siteOf(document)
  const type = versions?.type
  if (versions === undefined || document === undefined || siteId === undefined)
    return refuse('Its tool was deleted, or belongs to no site.')
  if (type !== 'tool' && type !== 'formTool') return refuse('Only tools have tests.')
  const tests: unknown[] = Array.isArray(document.tests) ? document.tests : []
  const isThere = hasTest(tests, test)
  const titles = new Set(tests.map((one) => (isRecord(one) ? textOf(one.title) : '')))
  const title = freeTitle(test.title, titles)
  if (!isThere && tests.length >= MAX_TESTS)
    return refuse(`The tool has ${MAX_TESTS} tests already: remove one of them.`)
  return accept({
    id: versions.id,
    siteId,
    type,
    name: textOf(document.name),
    created: draft === undefined ? copyOf(document, versions.id) : undefined,
    added: isThere ? undefined : entryFor({...test, title}),
  })
}

/** The draft that a published document begins with. */
export function copyOf({_rev, _createdAt, _updatedAt, ...fields}: StoredDocument, id: string) {
  return {...fields, _id: `drafts.${id}`}
}

function freeTitle(wanted: string, taken: ReadonlySet<string>): string {
  let title = wanted
  for (let count = 2; taken.has(title); count += 1) title = `${wanted} (${count})`
  return title
}

function entryFor({title, page, arguments: given, expect, prompt}: ToolTest): Fields {
  return entryOf('test', {
    title,
    page,
    arguments: given.map((row) => entryOf('argument', row)),
    expect: expect.map((row) => entryOf('expectation', filled(row))),
    ...(prompt !== undefined && {prompt}),
  })
}

/** Without fields that are empty. */
function filled(row: Fields): Fields {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))
}
