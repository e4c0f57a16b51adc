import assert from 'node:assert/strict'
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises'
import {delimiter, join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {temporaryFolder, temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, SITE, text} from '../../support/brokenRepositories/documents.ts'
import {BOT, commentHost, type Ran, recipe, runStep} from './support.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const ACTION_PATH = join(ROOT, 'deploy/ci')
const MARKER = '<!-- handrail-content-diff -->'

/** Replaces expressions, and refuses those that a step must not have. */
function evaluate(template: unknown, values: Readonly<Record<string, string>>): string {
  return String(template ?? '').replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The runner does not know ${name}`)
    return value
  })
}

/** Runs the steps of the action on a pull request that changes content. Only npm is a stand-in: it installs this project. */
async function runAction(
  t: TestContext,
  changes: Record<string, string>,
  inputs: Record<string, string> = {},
  /** The steps that are run after the first one. */
  chosen = ['Check', 'Compare', 'Test', 'Comment'],
) {
  const {directory, commit} = await temporaryWorkTree(t)
  const inFolder = (files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([path, file]) => [`content/${path}`, file]))
  const base = await commit(inFolder(GOOD_FILES))
  await commit(inFolder(changes))
  const host = await commentHost(t)
  const temporary = await temporaryFolder(t)
  const bin = join(temporary, 'bin')
  await mkdir(bin)
  const scope = join(temporary, 'handrail/node_modules/@handrail')
  const link = `mkdir -p '${scope}' && ln -s '${ROOT}' '${scope}/content'`
  await writeFile(join(bin, 'npm'), `#!/bin/sh\n${link}\necho "npm $*"\n`)
  await chmod(join(bin, 'npm'), 0o755)
  const values = {
    'github.action_path': ACTION_PATH,
    'runner.temp': temporary,
    'github.token': 'token',
    'github.event.pull_request.base.sha': base,
    'github.event.pull_request.number': '7',
    'inputs.directory': 'content',
    'inputs.strict': 'false',
    'inputs.comment': 'true',
    'inputs.package': './handrail-content.tgz',
    'inputs.base-url': '',
    'inputs.test-options': '',
    'inputs.token': 'token',
    ...inputs,
  }
  const runner = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: temporary,
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: host.origin,
    GITHUB_GRAPHQL_URL: `${host.origin}/graphql`,
    GITHUB_REPOSITORY: 'cafe/content',
    GITHUB_STEP_SUMMARY: join(temporary, 'summary.md'),
    GITHUB_WORKSPACE: directory,
    RUNNER_TEMP: temporary,
  }
  await writeFile(runner.GITHUB_STEP_SUMMARY, '')
  const {runs} = await recipe('action.yml')
  assert.ok(isJsonObject(runs) && Array.isArray(runs.steps))
  const results: Record<string, Ran> = {}
  for (const step of runs.steps) {
    assert.ok(isJsonObject(step))
    if (!['Install', ...chosen].includes(String(step.name))) continue
    const env: JsonObject = isJsonObject(step.env) ? step.env : {}
    const own = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, evaluate(value, values)]),
    )
    const cwd =
      step['working-directory'] === undefined ? directory : evaluate(step['working-directory'], values)
    // An expression in a script would let content run commands: they belong into variables.
    assert.doesNotMatch(String(step.run), /\$\{\{/)
    results[String(step.name)] = await runStep(String(step.run), cwd, {...runner, ...own})
  }
  return {results, host, summary: await readFile(runner.GITHUB_STEP_SUMMARY, 'utf8')}
}

test('the action annotates errors, and shows and comments what changes', async (t) => {
  const {results, host, summary} = await runAction(t, {'tool/menu.js': 'return (\n'})
  assert.match(
    results.Install?.output ?? '',
    /^npm install --prefix .* --ignore-scripts .* \.\/handrail-content\.tgz\n$/,
  )
  assert.equal(results.Check?.code, 1)
  assert.match(
    results.Check?.output ?? '',
    /^::error file=content\/tool\/menu\.js,line=\d+,col=\d+,title=Script/m,
  )
  assert.equal(results.Compare?.code, 0, results.Compare?.output)
  assert.match(summary, /#### Gone tool: `showMenu` on `\/menu`/)
  assert.equal(results.Comment?.code, 0, results.Comment?.output)
  assert.deepEqual(host.requests, [
    {
      method: 'POST',
      path: '/repos/cafe/content/issues/7/comments',
      token: 'Bearer token',
      body: `${MARKER}\n${summary}`,
    },
  ])
})

test('without a package, the action installs none, and names the input', async (t) => {
  const {results} = await runAction(t, {}, {'inputs.package': '', 'inputs.comment': 'false'}, [])
  assert.equal(results.Install?.code, 1)
  assert.match(results.Install?.output ?? '', /names no tarball, set the input "package"/)
})

test('with "strict", warnings fail; a token that may not comment fails nothing', async (t) => {
  const changed = text({...SITE, enabled: false, nmae: 'x'})
  const inputs = {'inputs.strict': 'true', 'inputs.token': 'readonly'}
  const {results} = await runAction(t, {'site/cafe.json': changed}, inputs, ['Check', 'Compare', 'Comment'])
  assert.equal(results.Check?.code, 1)
  assert.match(results.Check?.output ?? '', /^::warning file=content\/site\/cafe\.json,/m)
  assert.equal(results.Comment?.code, 0)
  assert.match(results.Comment?.output ?? '', /Could not comment: POST .* returned 403/)
})

test('tests of tools run on the website, and are part of the comment', async (t) => {
  const inputs = {'inputs.base-url': 'https://staging.example', 'inputs.test-options': '--site tide-cafe'}
  const {results, host, summary} = await runAction(t, {'tool/menu.js': "return 'closed'\n"}, inputs, [
    'Compare',
    'Test',
    'Comment',
  ])
  assert.equal(results.Test?.code, 0, results.Test?.output)
  assert.match(results.Test?.output ?? '', /^There are no tests to run\./m)
  assert.match(summary, /\n### Tests of tools\n\n {4}note: Write tests in Studio/)
  assert.match(host.requests[0]?.body ?? '', /Changed tool: .*\n### Tests of tools\n/s)

  const failed = await runAction(t, {}, {...inputs, 'inputs.test-options': '--site other'}, ['Test'])
  assert.equal(failed.results.Test?.code, 2)
  assert.match(failed.summary, /\n {4}content test: There is no site with the public ID "other"/)
})

test('a later run replaces the comment of an earlier one, and of no one else', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'diff.md'), 'Nothing changes.\n')
  const stranger = {user: {login: 'mallory'}, author: {id: 666}}
  const host = await commentHost(t, [
    {id: 3, body: `${MARKER}\nMine`, ...stranger},
    {id: 4, body: 'Nice!', ...stranger},
    {id: 5, body: `${MARKER}\nOld`, ...BOT},
  ])
  const program = join(ACTION_PATH, 'comment.mjs')
  const command = `node ${program} diff.md`
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: host.origin,
    GITHUB_GRAPHQL_URL: `${host.origin}/graphql`,
    GITHUB_REPOSITORY: 'cafe/content',
    PULL_REQUEST: '7',
    TOKEN: 'token',
  }
  const {PATH} = process.env
  assert.equal((await runStep(command, folder, {PATH, ...github})).code, 0)
  const gitlab = {
    CI_API_V4_URL: `${host.origin}/api/v4`,
    CI_PROJECT_ID: '3',
    CI_MERGE_REQUEST_IID: '9',
    HANDRAIL_COMMENT_TOKEN: 'secret',
  }
  assert.equal((await runStep(command, folder, {PATH, ...gitlab})).code, 0)
  const body = `${MARKER}\nNothing changes.\n`
  assert.deepEqual(host.requests, [
    {method: 'PATCH', path: '/repos/cafe/content/issues/comments/5', token: 'Bearer token', body},
    {method: 'PUT', path: '/api/v4/projects/3/merge_requests/9/notes/5', token: 'secret', body},
  ])
})
