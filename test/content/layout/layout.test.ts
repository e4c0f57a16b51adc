import {deepEqual, equal} from 'node:assert/strict'
import {test} from 'node:test'
import {Layout} from '../../../content/layout/layout.ts'

const TOOLS = new Layout({tool: {executeJs: 'js', inputSchema: 'schema.json'}})

test('a path belongs to a document, or to one of its attributes', () => {
  const places: [string, string, string | undefined][] = [
    ['tool/a.json', 'a', undefined],
    ['tool/a.js', 'a', 'executeJs'],
    ['tool/a.schema.json', 'a', 'inputSchema'],
    ['tool/a.b.js', 'a.b', 'executeJs'],
    ['site/a.schema.json', 'a.schema', undefined],
  ]
  for (const [path, id, field] of places) {
    deepEqual(TOOLS.placeOf(path), {type: path.split('/')[0], id, field}, path)
  }
  const others = [
    'lake.json',
    'site/a.js',
    'tool/a.ts',
    'tool/.js',
    'tool/.json',
    'a/tool/b.json',
    '.git/a.json',
  ]
  for (const path of others) equal(TOOLS.placeOf(path), undefined, path)
})

test('the paths of a document are its JSON and its texts', () => {
  deepEqual(TOOLS.paths({type: 'tool', id: 'a'}), ['tool/a.json', 'tool/a.js', 'tool/a.schema.json'])
  deepEqual(TOOLS.paths({type: 'site', id: 'a'}), ['site/a.json'])
  deepEqual(Layout.ONE_FILE.paths({type: 'tool', id: 'a'}), ['tool/a.json'])
})
