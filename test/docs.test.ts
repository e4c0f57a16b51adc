import assert from 'node:assert/strict'
import {existsSync, globSync, readFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAX_WORDS_OF_A_DECISION = 300

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

test('every document that a comment names exists', () => {
  const broken: string[] = []
  for (const file of filesOf(
    '{bench,cli,common,deploy,lake,schemas,service,snippet,studio,test}/**/*.{ts,tsx,mjs}',
  )) {
    for (const [, target = ''] of read(file).matchAll(/[^\w/](docs\/(?:decisions\/)?[\w-]+\.md)/g)) {
      if (!existsSync(join(ROOT, target))) broken.push(`${file}: ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})

for (const page of pages) {
  if (!/^docs\/decisions\/\d/.test(page)) continue
  test(`${page} is short, says its status, and is in the index`, () => {
    const text = read(page)
    const words = text.trim().split(/\s+/).length
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
