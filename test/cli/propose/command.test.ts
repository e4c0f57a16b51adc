import {deepEqual, equal, match} from 'node:assert/strict'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {cloneOf, temporaryRepository} from '../../lake/support/git.ts'
import {GOOD_FILES} from '../../support/brokenRepositories/documents.ts'
import {content} from '../support/run.ts'

const MESSAGE = ['--message', 'Describe the menü better']
const BRANCH = 'propose/describe-the-menu-better'

async function start(t: TestContext) {
  const remote = await temporaryRepository(t)
  await remote.commit(GOOD_FILES)
  const clone = await cloneOf(t, remote)
  await clone.git('config', 'user.name', 'Ada')
  await clone.git('config', 'user.email', 'ada@example.com')
  const propose = (args: readonly string[] = MESSAGE) => content(['propose', ...args], clone.directory)
  const branches = async () => (await remote.git('branch', '--format=%(refname:short)')).trim().split('\n')
  return {remote, clone, propose, branches}
}

test('a change becomes a commit on a branch, and more of it another one; the served branch stays', async (t) => {
  const {remote, clone, propose, branches} = await start(t)
  const before = await remote.git('rev-parse', 'main')
  match((await propose()).error, /Nothing differs from main of origin\./)
  await clone.write('tool/menu.js', "return (await fetch('/api/menu', {signal})).json()\n")
  match((await propose([])).error, /Say with --message what the change is for/)

  const dry = await propose([...MESSAGE, '--dry-run'])
  equal(dry.code, 0, dry.error)
  match(dry.out, /Would push propose\/describe-the-menu-better to origin, with\n M tool\/menu\.js\n$/)
  deepEqual(await branches(), ['main'])

  const {code, out, error} = await propose()
  equal(code, 0, error)
  match(out, /^3 documents: .*Nothing is published yet\.\nAsk a person who may publish to review the branch/s)
  deepEqual(await branches(), ['main', BRANCH])
  equal(await remote.git('log', '-1', '--format=%s', BRANCH), 'Describe the menü better\n')
  equal(await remote.git('rev-parse', 'main'), before)

  await clone.write('tool/menu.js', "return (await fetch('/api/menu2', {signal})).json()\n")
  equal((await propose(['--message', 'Another address'])).code, 0)
  // Now a lake serves the branch of the clone.
  await remote.git('symbolic-ref', 'HEAD', `refs/heads/${BRANCH}`)
  await clone.write('tool/menu.js', "return (await fetch('/api/menu3', {signal})).json()\n")
  match((await propose()).out, /Pushed propose\/describe-the-menu-better-2 to origin\./)
  equal((await remote.git('rev-list', '--count', `main..${BRANCH}`)).trim(), '2')
})

test('errors and tests that cannot run stop a proposal before its commit', async (t) => {
  const {clone, propose, branches} = await start(t)
  const tests = [{_key: 'a', title: 'It works', page: '/menu'}]
  const menu = JSON.parse(GOOD_FILES['tool/menu.json'] ?? '')
  await clone.write('tool/menu.json', {...menu, tests})
  equal((await propose([...MESSAGE, '--base-url', 'shop'])).code, 2)
  await clone.write('tool/menu.js', 'return (\n')
  const {code, out} = await propose()
  equal(code, 1)
  match(out, /The script cannot be read/)
  deepEqual(await branches(), ['main'])
  equal((await clone.git('branch', '--show-current')).trim(), 'main')
})

test('a proposal on a branch that others moved is refused, and names the page of the host otherwise', async (t) => {
  const {remote, clone, propose} = await start(t)
  const page = 'https://git.example/ada/content/-/merge_requests/new?source=x'
  const hook = `#!/bin/sh\necho "To create a merge request, visit:"\necho "  ${page}"\n`
  await mkdir(join(remote.directory, 'hooks'), {recursive: true})
  await writeFile(join(remote.directory, 'hooks/post-receive'), hook, {mode: 0o755})
  await clone.write('tool/menu.js', "return (await fetch('/api/menu', {signal})).json()\n")
  const {out} = await propose()
  equal(out.split('\n').at(-2), `Ask for a review: ${page}`)
  await remote.git('update-ref', `refs/heads/${BRANCH}`, 'main')
  await remote.commit({'tool/menu.js': 'return 1\n'})
  await remote.git('update-ref', `refs/heads/${BRANCH}`, 'main')
  await clone.write('tool/menu.js', "return (await fetch('/api/menu2', {signal})).json()\n")
  const refused = await propose()
  equal(refused.code, 2)
  match(
    refused.error,
    /The commit is on propose\/describe-the-menu-better, but Git could not push it: ! \[rejected\]/,
  )
})
