import {deepEqual, equal, throws} from 'node:assert/strict'
import {test} from 'node:test'
import {Layout} from '../../../content/layout/layout.ts'
import {parseLayout} from '../../../content/parseDocument.ts'

const TOOLS = Layout.of({files: {tool: {executeJs: 'js', inputSchema: 'schema.json'}}})

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

test('a layout that cannot work is refused with the place of the problem', () => {
  const refused: [unknown, RegExp][] = [
    [[], /not a JSON object/],
    [{}, /"files" must be an object/],
    [{files: {}, file: {}}, /unknown member "file"/],
    [{files: {tool: 'js'}}, /"files.tool" must be an object/],
    [{files: {'../tool': {}}}, /in "files", .*not a valid document type/],
    [{files: {tool: {_id: 'js'}}}, /"files.tool._id": an attribute starts with a letter/],
    [{files: {tool: {'a.b': 'js'}}}, /"files.tool.a.b": an attribute/],
    [{files: {tool: {script: 1}}}, /"files.tool.script" must be an extension/],
    [{files: {tool: {script: '.js'}}}, /without a leading dot/],
    [{files: {tool: {script: '../js'}}}, /must be an extension/],
    [{files: {tool: {script: 'x'.repeat(33)}}}, /more than 32 characters/],
    [{files: {tool: {script: 'JSON'}}}, /cannot be "json"/],
    [{files: {tool: {script: 'js.lock'}}}, /Git's own files/],
    [{files: {tool: {a: 'js', b: 'JS'}}}, /could belong to "a", too/],
    [{files: {tool: {a: 'schema.json', b: 'output.schema.json'}}}, /change one of "schema.json"/],
    [{files: {tool: {a: 'output.schema.json', b: 'schema.json'}}}, /change one of/],
  ]
  for (const [value, message] of refused) throws(() => Layout.of(value), message)
})

test('a layout that would take long to check is refused by its size', () => {
  const many = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({length: count}, (_, at) => [`a${at}`, value === 'own' ? `x${at}` : value]))
  throws(() => Layout.of({files: {tool: many(33, 'own')}}), /"files.tool" names more than 32 attributes/)
  throws(() => Layout.of({files: many(201, {})}), /"files" names more than 200 types/)
  equal(Layout.of({files: {tool: many(32, 'own')}}).extensions('tool').size, 32)
  const large = JSON.stringify({files: {tool: many(10_000, 'own')}})
  throws(() => parseLayout(Buffer.from(large)), /larger than 65536 bytes/)
  throws(() => parseLayout('too large'), /larger than 65536 bytes/)
})

test('lake.json is decoded like any other file', () => {
  const layout = parseLayout(Buffer.from('{"files": {"tool": {"executeJs": "js"}}}'))
  deepEqual([...layout.extensions('tool')], [['executeJs', 'js']])
  throws(() => parseLayout(Buffer.from('{"files": {,}}')), /line 1, column 12/)
  throws(() => parseLayout('link'), /symbolic link/)
})
