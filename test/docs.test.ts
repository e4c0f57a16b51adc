import assert from 'node:assert/strict'
import {existsSync, globSync, readFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {DECLARATIONS} from '../schemas/index.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Room for a subject that had several records: none of their reasons had to go. */
const MAX_WORDS_OF_A_DECISION = 450

/** The most words of README.md and the pages in docs/ together, code included: a feature that needs a guide adds one page. */
const MAX_WORDS_OF_GUIDES = 20_300
/** The most words of pages that people read as a whole. */
const MAX_WORDS: Readonly<Record<string, number>> = {
  'ARCHITECTURE.md': 1_850,
  'docs/operations.md': 1_200,
  'docs/release.md': 400,
  'docs/runbook.md': 1_300,
  'docs/security.md': 1_200,
  'docs/specification.md': 900,
}

const pages = filesOf('**/*.md')

for (const page of pages) {
  test(`every link of ${page} leads to a file of the project, and to a heading of it`, () => {
    const targets = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
      ([, target = '']) => target,
    )
    assert.deepEqual(
      targets.filter((target) => !leadsSomewhere(page, target)),
      [],
    )
  })
}

test('llms.txt lists every guide by its title, with what is in it', () => {
  const listed = Array.from(
    read('llms.txt').matchAll(/^- \[(.+)\]\((.+)\): .+$/gm),
    ([, title, page = '']) => [page, title],
  )
  const guides = [...filesOf('docs/*.md'), 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/decisions/README.md']
  const titled = guides.map((page) => [page, /^# (.+)$/m.exec(read(page))?.[1]])
  assert.deepEqual(listed.sort(), titled.sort())
})

test('every workflow, and every example of one, names actions by their commits', () => {
  const files = globSync('{.github/workflows,deploy,docs}/**/*.{yml,yaml,md}', {cwd: ROOT})
  const used = files.flatMap((file) =>
    [...read(file).matchAll(/\buses: (\S+)/g)].map(([, action = '']) => action),
  )
  assert.deepEqual(
    used.filter((action) => !/@(?:[\da-f]{40}|COMMIT)$/.test(action)),
    [],
  )
  assert.ok(used.length > 25)
})

test('every document and heading that a comment names exists', () => {
  const broken: string[] = []
  for (const file of filesOf(
    '{bench,cli,common,content,deploy,git,lake,schemas,service,snippet,studio,test}/**/*.{ts,tsx,mjs}',
  )) {
    for (const [, target = '', heading] of read(file).matchAll(
      /[^\w/](docs\/(?:decisions\/)?[\w-]+\.md)(?:, “([^”]+)”)?/g,
    )) {
      if (!existsSync(join(ROOT, target))) broken.push(`${file}: ${target}`)
      else if (heading !== undefined && !read(target).includes(`# ${heading}\n`))
        broken.push(`${file}: ${heading}`)
    }
  }
  assert.deepEqual(broken, [])
})

for (const page of pages) {
  if (!/^docs\/decisions\/\d/.test(page)) continue
  test(`${page} is short, says its status, and is in the index`, () => {
    const text = read(page)
    const words = wordsOf(page)
    assert.ok(words <= MAX_WORDS_OF_A_DECISION, `${words} words, at most ${MAX_WORDS_OF_A_DECISION}`)
    assert.match(text, /^# \d+\. .+\n\n(Accepted|Superseded by \[.+\]\(.+\)), \d{4}-\d\d-\d\d\./)
    const number = Number(basename(page).slice(0, 4))
    assert.ok(text.startsWith(`# ${number}. `), 'the title begins with the number of the file')
    const line = `- [${number}](${basename(page)}): `
    assert.ok(
      read('docs/decisions/README.md').includes(line),
      `docs/decisions/README.md has no line "${line}…"`,
    )
  })
}

test(`the guides have at most ${MAX_WORDS_OF_GUIDES} words`, () => {
  const counts = ['README.md', ...filesOf('docs/*.md')].map((page) => [wordsOf(page), page] as const)
  const total = counts.reduce((sum, [words]) => sum + words, 0)
  const longest = counts.sort(([a], [b]) => b - a).slice(0, 5)
  assert.ok(total <= MAX_WORDS_OF_GUIDES, `${total} words. The longest pages: ${longest.join(', ')}`)
})

test('pages that people read as a whole are short', () => {
  const long = Object.entries(MAX_WORDS).filter(([page, most]) => wordsOf(page) > most)
  assert.deepEqual(long, [])
})

test('the page of the first tool never comes from the cache of the browser, with the tag as it was before', () => {
  // By default, http-server lets browsers keep a page for an hour.
  assert.match(read('docs/getting-started.md'), /npx http-server .*-c-1\b/)
})

test('every file that ARCHITECTURE.md names for a change exists', () => {
  const [, rows = ''] = read('ARCHITECTURE.md').split('## Where to change what')
  const missing = (rows.split('\n## ')[0] ?? '').split('\n').flatMap((row) => {
    let folder = ''
    const named = Array.from(
      row.split('|')[2]?.matchAll(/`([\w/.-]+\/|[\w/.-]+\.(?:tsx?|mjs|conf|md))`/g) ?? [],
      ([, path = '']) => path,
    )
    // A name without a folder is in that of the file before it.
    return named.filter((path) => {
      const place = existsSync(join(ROOT, path)) ? path : join(folder, path)
      folder = dirname(place)
      return !existsSync(join(ROOT, place))
    })
  })
  assert.deepEqual(missing, [])
})

test('docs/errors.md lists every reason for which a transaction is refused', () => {
  const types = new Set(
    Array.from(read('lake/write/errors.ts').matchAll(/'(\w+Error)'/g), ([, type]) => type),
  )
  const listed = new Set(Array.from(read('docs/errors.md').matchAll(/`(\w+Error)`/g), ([, type]) => type))
  assert.deepEqual(listed, types)
})

/** As `wc -w` counts them. */
function wordsOf(page: string): number {
  return read(page).trim().split(/\s+/).length
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path ? join(dirname(page), path) : page
  if (!existsSync(join(ROOT, file))) return false
  return anchor === undefined || headingsOf(file).has(anchor)
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of read(page)
    .replaceAll(/^```.*?^```/gms, '')
    .matchAll(/^#+ (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    let unique = anchor
    for (let copy = 1; anchors.has(unique); copy += 1) unique = `${anchor}-${copy}`
    anchors.add(unique)
  }
  return anchors
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

function filesOf(pattern: string): string[] {
  return globSync(pattern, {cwd: ROOT, exclude: (path) => /^(?:node_modules|\..+)$/.test(basename(path))})
}

test('docs/git.md names every field, and what the JSON Schemas cannot say', () => {
  const page = read('docs/git.md')
  for (const {name, fields} of DECLARATIONS) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    assert.deepEqual(
      fields.filter((field) => !row.includes(`\`${field.name}\``)).map((field) => field.name),
      [],
    )
  }
  const [, listed = ''] = /The schemas cannot say: (.+)\./.exec(page) ?? []
  const beyond = DECLARATIONS.flatMap(({fields}) => fields.flatMap((field) => field.beyond ?? []))
  assert.deepEqual(listed.split(', ').sort(), [...new Set(beyond)].sort())
})
