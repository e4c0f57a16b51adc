import {deepEqual, equal, match} from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
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

test('npm on a Node that is older than "engines" allows gets one line of advice, and a newer one none', async () => {
  const {engines}: {engines?: unknown} = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  const [, lowest = ''] = /^>=([\d.]+)$/.exec(String(isJsonObject(engines) && engines.node)) ?? []
  const adviceOn = async (version: string) => {
    const env = {...process.env, npm_config_user_agent: `npm/11.19.1 node/v${version} linux x64`}
    const {stdout} = await promisify(execFile)(process.execPath, [`${root}common/adviseNode.mjs`], {env})
    return stdout
  }
  for (const version of ['20.20.2', '22.11.0'])
    match(
      await adviceOn(version),
      new RegExp(`^Node [\\d.]+ is old: .*install Node ${lowest} or newer\\..*\n$`),
    )
  for (const version of [`${lowest}.0`, '24.0.0', '101.0.0']) equal(await adviceOn(version), '')
})

test('the command line checks the version itself, npm’s scripts before they load TypeScript', async () => {
  match((await runOn('22.12.0', ['cli/content.mjs', 'check'])).error, /^Handrail needs Node 24/)
  const {scripts}: {scripts?: unknown} = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  for (const name of ['start', 'service', 'lake'])
    match(String(isJsonObject(scripts) && scripts[name]), /^node --import \.\/common\/requireNode\.mjs /)
})
