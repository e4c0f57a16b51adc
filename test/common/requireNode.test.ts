import {deepEqual, match} from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {isJsonObject} from '../../common/json.ts'

const CHECK = new URL('../../common/requireNode.mjs', import.meta.url)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs an entry point on a Node that says it has another version. */
function runOn(version: string, args: readonly string[]) {
  const fake = `Object.defineProperty(process, 'versions', {value: {node: '${version}'}});
    Object.defineProperty(process, 'version', {value: 'v${version}'})`
  const fakeVersion = ['--import', `data:text/javascript,${encodeURIComponent(fake)}`]
  return new Promise<{code: unknown; error: string}>((resolve) => {
    const run = execFile(process.execPath, [...fakeVersion, ...args], {cwd: root}, (_error, _out, error) =>
      resolve({code: run.exitCode, error}),
    )
  })
}

test('an older Node is refused in one line that says which version is needed, a current one is not', async () => {
  for (const version of ['20.20.2', '23.11.1']) {
    const {code, error} = await runOn(version, ['--import', `${CHECK}`, '-e', 'console.error("started")'])
    deepEqual([code, error.trimEnd().split('\n').length], [1, 1])
    match(error, new RegExp(`^Handrail needs Node 24, and this is v${version}\\. "npm ci" installs it`))
  }
  deepEqual(await runOn('24.0.0', ['--import', `${CHECK}`, '-e', '0']), {code: 0, error: ''})
})

test('the command line checks the version itself, npm’s scripts before they load TypeScript', async () => {
  match((await runOn('22.12.0', ['cli/content.mjs', 'check'])).error, /^Handrail needs Node 24/)
  const {scripts}: {scripts?: unknown} = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  for (const name of ['start', 'service', 'lake'])
    match(String(isJsonObject(scripts) && scripts[name]), /^exec node --import \.\/common\/requireNode\.mjs /)
})

test('an installation prints nothing of its own: npm shows each script of the root with a banner', async () => {
  const {scripts}: {scripts?: unknown} = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  const names = Object.keys(isJsonObject(scripts) ? scripts : {})
  deepEqual(
    names.filter((name) => /^(?:(?:pre|post)?install|(?:pre|post)?prepare|prepublish)$/.test(name)),
    [],
  )
})
