import {deepEqual, equal, ok, throws} from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {fileTextOf, revisionOf, UnfitDocumentError} from '../../../content/canonical.ts'
import {Layout} from '../../../content/layout/layout.ts'
import {splitDocument} from '../../../content/layout/splitDocument.ts'
import {assembleDocument} from '../../../content/parseDocument.ts'
import type {FileContent} from '../../../git/read/blobs.ts'
import {runs} from '../../runner/runs.ts'

const KEY = {type: 'tool', id: 'a'}
const LAYOUT = new Layout({tool: {executeJs: 'js', inputSchema: 'schema.json'}})

function documentWith(attributes: object) {
  return {_id: 'a', _type: 'tool', ...attributes}
}

function filesOf(document: Record<string, unknown>): ReadonlyMap<string, Buffer> {
  return new Map(
    Array.from(splitDocument(LAYOUT, KEY, document), ([path, text]) => [path, Buffer.from(text)]),
  )
}

function problemOf(files: Record<string, FileContent>) {
  const parsed = assembleDocument(LAYOUT, KEY, new Map(Object.entries(files)))
  return 'problem' in parsed ? parsed : undefined
}

const json = (attributes: object = {}) => Buffer.from(fileTextOf(documentWith(attributes)))

/** Every text that a JSON string may hold. */
const anyText = fc.oneof(
  fc.string({unit: 'binary'}),
  fc.string({unit: fc.constantFrom('a', '\n', '\r', '\r\n', '\0', '\ud800', '\udc00', '\ufeff', '\u2028')}),
  fc
    .array(
      fc.constantFrom(
        '<<<<<<< ours',
        '=======',
        '>>>>>>> theirs',
        'version https://git-lfs.github.com/spec/v1',
      ),
    )
    .map((lines) => lines.join('\n')),
)

test('any document is the same, byte by byte and by its revision, after its files are put together', () => {
  // The lake refuses attributes of this name.
  const value = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":'))
  const attribute = fc.oneof(anyText, value, fc.constant(undefined))
  fc.assert(
    fc.property(attribute, attribute, attribute, (executeJs, inputSchema, other) => {
      const document = Object.fromEntries(
        Object.entries(documentWith({executeJs, inputSchema, other})).filter(
          ([, value]) => value !== undefined,
        ),
      )
      const parsed = assembleDocument(LAYOUT, KEY, filesOf(document))
      ok('document' in parsed, JSON.stringify(parsed))
      equal(fileTextOf(parsed.document.content), fileTextOf(document))
      equal(JSON.stringify(parsed.document.content), JSON.stringify(JSON.parse(fileTextOf(document))))
      equal(parsed.document.revision, revisionOf(document))
    }),
    {numRuns: runs(500)},
  )
})

test('a text file holds the text and a final newline', () => {
  const files = splitDocument(
    LAYOUT,
    KEY,
    documentWith({executeJs: 'return 1', inputSchema: '{\n}\n', name: 'b'}),
  )
  deepEqual(
    [...files],
    [
      ['tool/a.json', fileTextOf(documentWith({name: 'b'}))],
      ['tool/a.js', 'return 1\n'],
      ['tool/a.schema.json', '{\n}\n\n'],
    ],
  )
})

test('a missing final newline and a byte order mark are not part of the text', () => {
  const files = new Map([
    ['tool/a.json', json()],
    ['tool/a.js', Buffer.from('\ufeffreturn 1')],
    ['tool/a.schema.json', Buffer.from('')],
  ])
  const parsed = assembleDocument(LAYOUT, KEY, files)
  ok('document' in parsed)
  deepEqual(parsed.document.content, {_id: 'a', _type: 'tool', executeJs: 'return 1', inputSchema: ''})
})

test('what a file cannot hold stays in the JSON', () => {
  const texts = ['\ud800', 'a\0b', '\ufeffa', '<<<<<<< a\n=======\n>>>>>>> b', 5, null, ['a']]
  for (const executeJs of texts) {
    deepEqual([...splitDocument(LAYOUT, KEY, documentWith({executeJs})).keys()], ['tool/a.json'])
  }
})

test('an id that would make a document look like a text is refused', () => {
  throws(
    () => splitDocument(LAYOUT, {type: 'tool', id: 'a.schema'}, {_id: 'a.schema', _type: 'tool'}),
    (error) => error instanceof UnfitDocumentError && /cannot end with ".schema"/.test(error.message),
  )
})

test('a problem names its file and what to do', () => {
  const cases: [Record<string, FileContent>, string, RegExp, number?][] = [
    [
      {'tool/a.js': Buffer.from('x\n')},
      'tool/a.js',
      /no tool\/a.json.*restore that file, or delete this one/,
    ],
    [
      {'tool/a.json': json({executeJs: 'x'}), 'tool/a.js': Buffer.from('x\n')},
      'tool/a.json',
      /"executeJs" is in this file and in tool\/a.js/,
    ],
    [{'tool/a.json': json(), 'tool/a.js': 'link'}, 'tool/a.js', /symbolic link/],
    [{'tool/a.json': json(), 'tool/a.js': 'submodule'}, 'tool/a.js', /submodule/],
    [{'tool/a.json': json(), 'tool/a.js': 'too large'}, 'tool/a.js', /larger than 5242880 bytes/],
    [{'tool/a.json': json(), 'tool/a.js': 'unreadable'}, 'tool/a.js', /cannot be read/],
    [{'tool/a.json': json(), 'tool/a.js': Buffer.from('a\0\n')}, 'tool/a.js', /UTF-16/],
    [{'tool/a.json': json(), 'tool/a.js': Buffer.from([0xff, 0x0a])}, 'tool/a.js', /not UTF-8/],
    [
      {'tool/a.json': json(), 'tool/a.js': Buffer.from('a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n')},
      'tool/a.js',
      /conflict begins in line 2/,
      2,
    ],
    [
      {
        'tool/a.json': json(),
        'tool/a.js': Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:1\n'),
      },
      'tool/a.js',
      /Git LFS/,
    ],
    [{'tool/a.json': Buffer.from('{\n  "_id": "a",\n}\n')}, 'tool/a.json', /line 3, column 1/, 3],
  ]
  for (const [files, path, message, line] of cases) {
    const found = problemOf(files)
    equal(found?.path, path)
    ok(message.test(found.problem), found.problem)
    equal(found.line, line, found.problem)
  }
})

test('the limit of a document holds for all of its files together', () => {
  const half = Buffer.from('x'.repeat(3_000_000))
  const files = {'tool/a.json': json(), 'tool/a.js': half, 'tool/a.schema.json': half}
  ok(/together with its text files/.test(problemOf(files)?.problem ?? ''))
})

test('without a layout, a document is one file', () => {
  const document = documentWith({executeJs: 'return 1'})
  deepEqual([...splitDocument(Layout.ONE_FILE, KEY, document)], [['tool/a.json', fileTextOf(document)]])
})
