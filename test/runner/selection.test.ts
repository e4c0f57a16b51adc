import assert from 'node:assert/strict'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {groupsOf} from './groups.ts'
import {selectTests} from './selection.ts'

const FILES = {
  'lake/lake.ts': "import {git} from '../git/git.ts'",
  'git/git.ts': '',
  'test/lake/support.ts': "import '../../lake/lake.ts'",
  'test/lake/lake.test.ts': "import {start} from './support.ts'",
  'test/lake/kill.system.test.ts': "await import('../../lake/lake.ts')",
  'test/schemas/rules.test.ts': '',
  'test/start.browser.test.ts': '',
}

function project(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'handrail-project-'))
  t.after(() => rmSync(root, {recursive: true}))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), {recursive: true})
    writeFileSync(join(root, path), text)
  }
  return root
}

const ALL = {suite: 'unit', paths: [], changed: undefined} as const

test('units have no second ending, and system tests have one', (t) => {
  const root = project(t)
  assert.deepEqual(selectTests(root, ALL), ['test/lake/lake.test.ts', 'test/schemas/rules.test.ts'])
  assert.deepEqual(selectTests(root, {...ALL, suite: 'system'}), [
    'test/lake/kill.system.test.ts',
    'test/start.browser.test.ts',
  ])
  assert.equal(selectTests(root, {...ALL, suite: 'all'}).length, 4)
})

test('a folder selects its tests of the suite, and a file that is named runs in any suite', (t) => {
  const root = project(t)
  assert.deepEqual(selectTests(root, {...ALL, paths: ['test/lake/']}), ['test/lake/lake.test.ts'])
  const named = ['./test/lake/kill.system.test.ts']
  assert.deepEqual(selectTests(root, {...ALL, paths: named}), ['test/lake/kill.system.test.ts'])
})

test('tests of changed files are those that import them, directly or through others', (t) => {
  const changed = ['git/git.ts']
  assert.deepEqual(selectTests(project(t), {...ALL, suite: 'all', changed}), [
    'test/lake/kill.system.test.ts',
    'test/lake/lake.test.ts',
  ])
})

test('a group has files that need the same, and those with a browser come first', () => {
  const lake = Array.from({length: 46}, (_, at) => `test/lake/a${at}.test.ts`)
  const groups = groupsOf([
    'test/a.mount.test.ts',
    'test/start.browser.test.ts',
    'test/cli/a.test.ts',
    ...lake,
  ])
  assert.deepEqual(
    groups.map(({name, files}) => [name, files.length]),
    [
      ['browser', 1],
      ['unit 1/2', 24],
      ['unit 2/2', 23],
      ['mount', 1],
    ],
  )
})

for (const [ending, name] of [
  ['browser', 'browser'],
  ['system', 'lake system'],
])
  test(`few files are in a group of the ending ${ending}, because each takes long`, () => {
    const files = Array.from({length: 9}, (_, at) => `test/lake/a${at}.${ending}.test.ts`)
    assert.deepEqual(
      groupsOf(files).map(({name, files}) => [name, files.length]),
      [
        [`${name} 1/2`, 5],
        [`${name} 2/2`, 4],
      ],
    )
  })
