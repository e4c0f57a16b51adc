import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {posix} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {type Import, importsBetween, sourcesOf} from './runner/imports.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** They compose modules for `npm start` and `npm run lake`. */
const COMPOSERS = ['start.ts', 'lake/main.ts']

const sources = sourcesOf(ROOT)
const imports = importsBetween(ROOT, sources)
const page = readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8')
const modules = modulesOf(page)

test('every source file belongs to a module of ARCHITECTURE.md, and its imports are found', () => {
  const strays = sources.filter((path) => path.includes('/') && moduleOf(path) === undefined)
  assert.deepEqual(strays, [])
  const found = imports.filter(({from}) => from === 'start.ts').map(({to}) => moduleOf(to))
  assert.ok(found.includes('lake/') && found.includes('service/'))
})

test('imports between modules are those that ARCHITECTURE.md allows', () => {
  const refused = imports.filter(({from, to}) => {
    const home = moduleOf(from)
    const allowed = home === undefined ? undefined : modules.get(home)
    if (COMPOSERS.includes(from) || allowed === undefined || moduleOf(to) === home) return false
    return !allowed.some((path) => to === path || to.startsWith(`${path}/`))
  })
  assert.deepEqual(refused, [])
})

test('every folder of a feature is in the table of ARCHITECTURE.md', () => {
  const [, head = '', table = ''] = /\n(\| Feature \|.*)\n\|[-|]+\n((?:\|.*\n)+)/.exec(page) ?? []
  const homes = codesIn(head)
  const named = table.split('\n').flatMap((row) => {
    const [, title = '', ...cells] = row.split('|').map((cell) => cell.trim())
    const [feature = ''] = title.split(' ')
    return homes.flatMap((home, at) => codesIn(cells[at]).map((folder) => ({feature, path: home + folder})))
  })
  const features = new Set(named.map(({feature}) => feature))
  const folders = new Set(
    sources.flatMap((path) => path.split('/').map((_name, at, names) => `${names.slice(0, at).join('/')}/`)),
  )
  assert.ok(features.size > 0)
  assert.deepEqual(
    named.map(({path}) => path).filter((path) => !folders.has(path)),
    [],
  )
  const unnamed = [...folders].filter(
    (path) =>
      homes.some((home) => path.startsWith(home)) &&
      features.has(posix.basename(path)) &&
      !named.some((one) => one.path === path && one.feature === posix.basename(path)),
  )
  assert.deepEqual(unnamed, [])
})

test('no file imports itself through others', () => {
  assert.deepEqual(circlesIn(imports), [])
})

test('the files and folders in a folder of the product import each other in one direction', () => {
  const levels = Map.groupBy(
    imports.filter(({from}) => !/^(test|bench)\//.test(from)).flatMap(siblingsOf),
    ({folder}) => folder,
  )
  const circles = [...levels.values()].flatMap(circlesIn)
  assert.deepEqual(circles, [])
})

/** The paths that each module may import, by the path of the module; undefined if it may import anything. */
function modulesOf(text: string): ReadonlyMap<string, readonly string[] | undefined> {
  const [, table = ''] = /\| Module \|.*\n\|[-| ]+\n((?:\|.*\n)+)/.exec(text) ?? []
  const rows = table.split('\n').filter((row) => row !== '')
  return new Map(
    rows.map((row) => {
      const cells = row.split('|').map((cell) => cell.trim())
      const [name = ''] = codesIn(cells[1])
      return [name, cells[3] === 'anything' ? undefined : codesIn(cells[3])]
    }),
  )
}

function codesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

function moduleOf(path: string): string | undefined {
  return [...modules.keys()].find((name) => path.startsWith(name))
}

/** The folder that contains both ends of an import, and the files or folders of it that hold them. */
function siblingsOf({from, to}: Import): (Import & {readonly folder: string})[] {
  const one = from.split('/')
  const other = to.split('/')
  const at = one.findIndex((name, place) => name !== other[place])
  const [a, b] = [one[at], other[at]]
  return a === undefined || b === undefined ? [] : [{folder: one.slice(0, at).join('/'), from: a, to: b}]
}

/** Returns the imports that are part of a circle: one end is reached from the other. */
function circlesIn(all: readonly Import[]): string[] {
  const targets = Map.groupBy(all, ({from}) => from)
  const reachedFrom = (start: string) => {
    const reached = new Set<string>()
    const waiting = [start]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const {to} of targets.get(next) ?? []) {
        if (reached.has(to)) continue
        reached.add(to)
        waiting.push(to)
      }
    }
    return reached
  }
  const reached = new Map([...targets.keys()].map((from) => [from, reachedFrom(from)]))
  const circular = all.filter(({from, to}) => reached.get(to)?.has(from))
  return [...new Set(circular.map(({from, to}) => `${from} > ${to}`))]
}
