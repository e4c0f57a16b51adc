import {execFileSync, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

/** Code that tests notice: not the tests themselves, nor what only people run. */
const LEFT_OUT = /^(?:test|bench|release|deploy)\/|\.generated\.ts$|\.d\.ts$/

/** Lines that do nothing: comments, imports and types. */
const IDLE = /^\s*(?:\/?\*|\/\/|import\b|export (?:type|\*|\{)|type\b|readonly\b|\}|$)/

/** What is broken in a line, and how. */
const BREAKS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/===/, '!=='],
  [/!==/, '==='],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ < /, ' >= '],
  [/ > /, ' <= '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bif \((.+)\) /, 'if (!($1)) '],
  [/ \+ /, ' - '],
  [/\breturn (?!undefined\b)\S.*$/, 'return undefined'],
  [/^(\s*)(?:await )?[\w.#]+\(.*\)$/, '$1void 0'],
]

/** A line with one thing broken; undefined if nothing in it can be. */
export function broken(line: string, random: number): string | undefined {
  const ways = IDLE.test(line) ? [] : BREAKS.filter(([pattern]) => pattern.test(line))
  const [pattern, replacement] = ways[random % ways.length] ?? []
  return pattern === undefined || replacement === undefined ? undefined : line.replace(pattern, replacement)
}

/** The same numbers for the same seed. */
function randomOf(seed: number, at: number): number {
  return createHash('sha256').update(`${seed} ${at}`).digest().readUInt32BE()
}

/** Whether tests fail in a copy of the project: first those that import what changed, and then all. */
function isNoticed(copy: string): boolean {
  return [['--changed'], []].some((options) => {
    const args = ['test/runner/main.ts', '--all', '--bail', ...options]
    const {stdout} = spawnSync(process.execPath, args, {cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28})
    return !/, 0 failed/.test(stdout)
  })
}

/** `npm run mutants -- --count 40 --seed 7`: breaks lines at random, one at a time, and prints those that no test notices. */
async function main(): Promise<void> {
  const {values} = parseArgs({options: {count: {type: 'string'}, seed: {type: 'string'}}})
  const count = Number(values.count ?? 20)
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const git = (...args: string[]) => execFileSync('git', args, {cwd: ROOT, encoding: 'utf8'})
  const lines = git('ls-files', '*.ts', '*.tsx')
    .split('\n')
    .filter((path) => path !== '' && !LEFT_OUT.test(path))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .map((_, index) => ({path, index})),
    )
  const folder = await mkdtemp(join(tmpdir(), 'handrail-mutants-'))
  const copy = join(folder, 'copy')
  git('worktree', 'add', '--quiet', '--detach', copy, 'HEAD')
  try {
    for (const name of ['node_modules', 'studio/node_modules'])
      symlinkSync(join(ROOT, name), join(copy, name))
    if (isNoticed(copy)) throw new Error('Tests fail without a broken line, too.')
    let survivors = 0
    for (let at = 0, made = 0; made < count; at += 1) {
      const {path, index} = lines[randomOf(seed, at) % lines.length] ?? {path: '', index: 0}
      const file = join(copy, path)
      const text = readFileSync(file, 'utf8')
      const own = text.split('\n')
      const line = broken(own[index] ?? '', randomOf(seed, -at))
      if (line === undefined) continue
      made += 1
      writeFileSync(file, own.with(index, line).join('\n'))
      if (!isNoticed(copy)) {
        survivors += 1
        console.log(`${path}:${index + 1}\n  ${own[index]?.trim()}\n  ${line.trim()}`)
      }
      writeFileSync(file, text)
    }
    console.log(`seed ${seed}: tests noticed ${count - survivors} of ${count}`)
  } finally {
    git('worktree', 'remove', '--force', copy)
    await rm(folder, {recursive: true, force: true})
  }
}

if (import.meta.main) await main()
