import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {packTar, type TarEntry} from 'modern-tar'
import {words} from '../../support/words.ts'
import {brokenJson, deepJson, wildJson} from './json.ts'
import {oddName, weighted} from './text.ts'

/** A file as somebody can give it to an import. */
export type OddArchive = {
  readonly kind: 'ndjson' | 'tar.gz'
  readonly lines: readonly string[]
  /** Not `latin1` in a good file. */
  readonly encoding: 'utf8' | 'latin1'
  readonly newline: string
  /** The place of the documents in an archive. */
  readonly data: string
  /** Further entries of an archive. */
  readonly entries: readonly OddTarEntry[]
  readonly damage: Damage
}

type OddTarEntry = {
  readonly name: string
  readonly type: 'file' | 'directory' | 'symlink' | 'link'
  readonly isFirst: boolean
}

/** What happened to the file on its way. `at` is a part of its length. */
type Damage = {readonly kind: 'none' | 'cut' | 'flipped' | 'not compressed'; readonly at: number}

const long = 'x'.repeat(200)

/** Ids that the repository of the test has, in any case, and such that no repository can have. */
const id = fc.oneof(
  weighted(
    16,
    fc.nat(60).map((number) => `p${number}`),
  ),
  weighted(
    8,
    fc.constantFrom(
      ...['one', 'two', 'new', 'bank', 'pay', 'ONE', 'One', 'folder', 'a.b', 'drafts.one', 'drafts.new', 'x'],
    ),
  ),
  weighted(
    4,
    fc.constantFrom(
      ...words(`
      drafts. drafts.drafts.one drafts.versions.r.one drafts.One versions.r.one versions.one _.releases.r
      _.groups.x drafts._.x aux con.x x.lock x.GIT x. x..y -x .. ../../evil /evil a/b`),
      'a\\b',
      'C:\\evil',
      'a\nb',
      'a\tb"',
      'e\u0301',
      '\u00e9',
      '\u202ex',
      long.slice(0, 128),
      long.slice(0, 129),
      `drafts.${long.slice(0, 121)}`,
      `drafts.${long.slice(0, 128)}`,
    ),
  ),
  weighted(1, oddName),
)

/** Types that are files and folders of the repository, in any case and Unicode form. */
const type = fc.oneof(
  weighted(24, fc.constantFrom('page', 'page', 'page', 'site', 'tool', 'formTool')),
  weighted(
    5,
    fc.constantFrom(
      ...words(`
      lake.json LAKE.JSON Lake.Json lake.json. README readme ReadMe docs Docs DOCS Page PAGE page.json notes
      empty .git .GIT .gitattributes git~1 x.lock aux .. . a/b page/.. ../x -x toString constructor
      __proto__ sanity.previewUrlSecret sanity.imageAsset sanity.fileAsset system.group system.release`),
      'la\u212ae.json',
      '\uff4cake.json',
      'lake.j\u017fon',
      'caf\u00e9',
      'cafe\u0301',
      long.slice(0, 64),
      long.slice(0, 65),
    ),
  ),
  weighted(1, oddName),
)

const date = fc.constantFrom(
  ...words(`
    2001-01-01T00:00:00Z 2001-01-01T00:00:00.123456789Z 9999-01-01T00:00:00Z 9999-12-31T23:59:59.999Z
    2026-13-45T99:99:99Z 2026-02-30T00:00:00Z 0000-01-01T00:00:00Z +275760-09-13T00:00:00.001Z
    -000001-01-01T00:00:00Z 1969-12-31T23:59:59Z 2001-01-01 now 2001-01-01T00:00:00+14:00`),
  '',
)

const quoted = (texts: fc.Arbitrary<string>) => texts.map((text) => JSON.stringify(text))

/** Values of attributes, by name. */
const attributes: Readonly<Record<string, fc.Arbitrary<string>>> = {
  _createdAt: fc.oneof(quoted(date), wildJson),
  _updatedAt: fc.oneof(quoted(date), wildJson),
  _rev: quoted(fc.constantFrom('x', '', '__proto__')),
  publicId: quoted(
    fc.constantFrom('bank-0001-site', 'bank-0001-site', 'new-0001-site', 'BANK-0001-SITE', 'x', ''),
  ),
  site: fc
    .tuple(fc.constantFrom('bank', 'bank', 'one', 'nothing', 'image-abc-1x1-png', '../x'), fc.boolean())
    .map(([ref, isWeak]) => JSON.stringify({_type: 'reference', _ref: ref, ...(isWeak && {_weak: true})})),
  image: fc.constant('{"_type":"image","asset":{"_type":"reference","_ref":"image-abc-1x1-png"}}'),
  executeJs: quoted(
    fc.constantFrom(
      'return 1',
      'return "\u202e"',
      '\ud800',
      '\0',
      '\r\n',
      'x'.repeat(100_000),
      '"'.repeat(3_000_000),
    ),
  ),
  inputSchema: quoted(fc.constantFrom('{"type":"object"}', '{', '{"type":"object","title":"\u2066"}')),
  name: fc.oneof(quoted(oddName), wildJson),
  secret: quoted(fc.constantFrom('k'.repeat(40))),
  deep: fc.oneof(
    deepJson,
    fc.constantFrom(61, 62, 63, 64, 65).map((levels) => '['.repeat(levels) + ']'.repeat(levels)),
  ),
  text: fc
    .constantFrom(1_000_000, 5_242_000, 5_300_000, 34_000_000)
    .map((length) => `"${'x'.repeat(length)}"`),
  lines: fc.constantFrom(1_000, 600_000).map((count) => `[${'1,'.repeat(count)}1]`),
  toString: wildJson,
  __proto__: wildJson,
  hasOwnProperty: wildJson,
}

const members = fc.array(
  fc
    .constantFrom(...Object.keys(attributes), '__proto__')
    .chain((name) => (attributes[name] ?? wildJson).map((value) => `${JSON.stringify(name)}:${value}`)),
  {maxLength: 3},
)

const document = fc
  .tuple(
    fc.oneof(weighted(40, quoted(id)), weighted(1, wildJson)),
    fc.oneof(weighted(40, quoted(type)), weighted(1, wildJson)),
    members,
  )
  .map(([one, kind, more]) => ({
    id: one,
    text: `{${[`"_id":${one}`, `"_type":${kind}`, ...more].join(',')}}`,
  }))

/** Documents with different ids, mostly: two with one id stop an import. */
const documents = fc
  .uniqueArray(document, {selector: ({id: one}) => one, minLength: 1, maxLength: 10})
  .map((all) => all.map(({text}) => text))

/** Lines that stop an import, or have no name. */
const oddLine = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '  ',
      '{}',
      '{"_id":"x"}',
      '{"_type":"page"}',
      '{"_id":{"toString":1},"_type":"page"}',
      '\ufeff{}',
    ],
    ...['{"_id":"dup","_type":"page","_id":"one"}', '{"_id":"x","_type":{"a":1}}', '\u0000', '{"error":{}}'],
  ),
  brokenJson,
  deepJson,
  deepJson.map((deep) => `{"_type":"page","deep":${deep}}`),
)

const line = fc.oneof(
  weighted(
    40,
    document.map(({text}) => text),
  ),
  weighted(1, oddLine),
)

const entry: fc.Arbitrary<OddTarEntry> = fc.record({
  name: fc.constantFrom(
    ...words(`
      x/images/a-1x1.png x/files/b.pdf x/assets.json x/ ../evil.ndjson /tmp/evil x/../../evil x/data2.ndjson
      ./x/./y lake.json .git/config`),
    'C:\\evil',
    '',
    'x/\u202e',
    `x/${long}`,
  ),
  type: fc.constantFrom('file', 'file', 'file', 'directory', 'symlink', 'link'),
  isFirst: fc.boolean(),
})

/** Files of documents with odd names, dates, values and references, and archives with odd entries. */
export const oddArchive: fc.Arbitrary<OddArchive> = fc.record({
  kind: fc.constantFrom('ndjson', 'ndjson', 'ndjson', 'tar.gz'),
  lines: fc.oneof(
    weighted(12, documents),
    weighted(3, fc.array(line, {maxLength: 8})),
    weighted(1, fc.array(fc.string({unit: 'binary', maxLength: 40}), {maxLength: 3})),
  ),
  encoding: fc.constantFrom('utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'latin1'),
  newline: fc.constantFrom('\n', '\n', '\r\n', '\n\n'),
  data: fc.constantFrom(
    'x/data.ndjson',
    'x/data.ndjson',
    'data.ndjson',
    './x/y/data.ndjson',
    'a/b/c/data.ndjson',
  ),
  entries: fc.oneof(fc.constant<OddTarEntry[]>([]), fc.array(entry, {maxLength: 3})),
  damage: fc.record({
    kind: fc.constantFrom(...Array<'none'>(9).fill('none'), 'cut', 'flipped', 'not compressed'),
    at: fc.double({min: 0, max: 1, noNaN: true}),
  }),
})

/** The bytes of the file. */
export async function bytesOfArchive(odd: OddArchive): Promise<Buffer> {
  const text = Buffer.from(odd.lines.map((line) => line + odd.newline).join(''), odd.encoding)
  if (odd.kind === 'ndjson') return damaged(text, odd.damage)
  const body = new Uint8Array(text)
  const data: TarEntry = {header: {name: odd.data, size: body.length}, body}
  const tar = (isFirst: boolean) => odd.entries.filter((one) => one.isFirst === isFirst).map(tarEntry)
  const packed = await packTar([...tar(true), data, ...tar(false)])
  return damaged(odd.damage.kind === 'not compressed' ? Buffer.from(packed) : gzipSync(packed), odd.damage)
}

function tarEntry({name, type}: OddTarEntry): TarEntry {
  if (type !== 'file')
    return {header: {name, type, size: 0, ...(type !== 'directory' && {linkname: '../evil'})}}
  return {header: {name, size: 4}, body: 'evil'}
}

function damaged(bytes: Buffer, {kind, at}: Damage): Buffer {
  const place = Math.floor(at * bytes.length)
  if (kind === 'cut') return bytes.subarray(0, place)
  if (kind !== 'flipped' || bytes.length === 0) return bytes
  const copy = Buffer.from(bytes)
  copy.writeUInt8((bytes[Math.min(place, bytes.length - 1)] ?? 0) ^ 0x20, Math.min(place, bytes.length - 1))
  return copy
}
