import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {chmod, mkdir, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {readSnapshot} from '../../../cli/diff/snapshot.ts'
import {readRevision} from '../../../cli/source/gitFiles.ts'
import {temporaryFolder, temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, SITE, TEXTS, TOOL, text} from '../../support/brokenRepositories/documents.ts'
import {content} from '../support/run.ts'

const BROKEN = {...GOOD_FILES, 'tool/menu.js': 'const a = 1\nreturn a +\n'}
const ADVISED = {...GOOD_FILES, 'tool/menu.json': text({...TOOL, description: 'Menu'})}

test('prints the findings of each file, with the titles of fields', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit({...BROKEN, 'site/cafe.json': text({...SITE, pollInterval: 1})})
  const {code, out} = await content(['check'], directory)
  assert.equal(code, 1)
  assert.equal(
    out,
    `site/cafe.json
  5:3     error    Poll interval: The poll interval must be at least 10 seconds. (RULE_BROKEN)

tool/menu.js
  2:11    error    Script: The script cannot be read at line 2, column 11: unexpected token. (RULE_BROKEN)

3 documents: 2 errors.
`,
  )
})

test('exits with 0 without errors, and with --strict only without warnings', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(ADVISED)
  const {code, out} = await content(['check', directory], '/')
  assert.equal(code, 0)
  assert.match(out, /Description: .* \(DESCRIPTION_SHORT\)/)
  assert.equal((await content(['check', '--strict'], directory)).code, 1)
  await commit(GOOD_FILES)
  const {code: accepted, out: report, error} = await content(['check', '--strict'], directory)
  assert.deepEqual([accepted, report, error], [0, '3 documents: nothing to report.\n', ''])
})

test('prints JSON', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(BROKEN)
  const {code, out} = await content(['check', '--json'], directory, {GITHUB_ACTIONS: 'true'})
  assert.equal(code, 1)
  const report: unknown = JSON.parse(out)
  assert.deepEqual(report, {
    version: 1,
    documents: 3,
    errors: 1,
    warnings: 0,
    infos: 0,
    findings: [
      {
        code: 'RULE_BROKEN',
        severity: 'error',
        path: 'tool/menu.js',
        message: 'The script cannot be read at line 2, column 11: unexpected token.',
        line: 2,
        column: 11,
        field: 'executeJs',
        type: 'tool',
      },
    ],
  })
})

test('prints annotations on GitHub, whose files are relative to the checked-out repository', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(Object.fromEntries(Object.entries(BROKEN).map(([path, file]) => [`content/${path}`, file])))
  const {out} = await content(['check', 'content'], directory, {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: directory,
  })
  const [first] = out.split('\n')
  assert.equal(
    first,
    '::error file=content/tool/menu.js,line=2,col=11,title=Script (RULE_BROKEN)::The script cannot be read at line 2, column 11: unexpected token.',
  )
})

test('what is in a repository cannot start a command of GitHub or move the cursor', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit({...GOOD_FILES, 'tool/a\n::set-output name=x::\u001b[2J,y.json': '{}'})
  const {out} = await content(['check'], directory, {GITHUB_ACTIONS: 'true'})
  assert.ok(!out.includes('\u001b') && !/^::set-output/m.test(out), out)
  assert.match(out, /^::error file=tool\/a%0A%3A%3Aset-output name=x%3A%3A.*%2Cy\.json,/m)
})

test('checks what is staged, what is committed, and what a bare repository has', async (t) => {
  const {directory, commit, git, write} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  await write('tool/menu.js', BROKEN['tool/menu.js'])
  assert.equal((await content(['check'], directory)).code, 1)
  assert.equal((await content(['check', '--staged'], directory)).code, 0)
  await git('add', '--all')
  assert.equal((await content(['check', '--staged'], directory)).code, 1)
  assert.equal((await content(['check', '--ref', 'HEAD'], directory)).code, 0)
  const bare = join(await temporaryFolder(t), 'bare.git')
  await git('clone', '--quiet', '--bare', directory, bare)
  assert.equal((await content(['check', bare, '--ref', 'main'], '/')).code, 0)
  assert.equal((await content(['check', bare], '/')).code, 0)
  await commit({})
  await git('push', '--quiet', bare, 'main')
  assert.match((await content(['check', bare], '/')).out, /tool\/menu\.js/)
  assert.match((await content(['check', '--fix', bare], '/')).error, /has no work tree: clone it/)
})

test('ignored files are left out, new ones are not', async (t) => {
  const {directory, commit, write} = await temporaryWorkTree(t)
  await commit({...GOOD_FILES, '.gitignore': 'tool/local.*\n'})
  await write('tool/local.json', 'nothing')
  assert.equal((await content(['check'], directory)).code, 0)
  await write('tool/new.json', 'nothing')
  assert.match((await content(['check'], directory)).out, /^tool\/new\.json$/m)
})

test('checks a directory without Git, and names files that it cannot read', async (t) => {
  const directory = await temporaryFolder(t)
  for (const [path, file] of Object.entries(GOOD_FILES)) {
    await mkdir(join(directory, path, '..'), {recursive: true})
    await writeFile(join(directory, path), file)
  }
  assert.equal((await content(['check'], directory)).code, 0)
  // Permissions do not keep root out, so it is not a regular file.
  execFileSync('mkfifo', [join(directory, 'tool/pipe.json')])
  await chmod(join(directory, 'tool/menu.js'), 0o755)
  const {code, out} = await content(['check'], directory)
  assert.equal(code, 1)
  assert.match(out, /^tool\/pipe\.json\n.*error +The file cannot be read: not a regular file\./m)
  assert.match(out, /^tool\/menu\.js\n.*info .*\(FILE_EXECUTABLE\)/m)
})

test('exits with 2 if it cannot run, and says why', async (t) => {
  const directory = await temporaryFolder(t)
  const cases: [args: string[], error: RegExp][] = [
    [['check', 'nowhere'], /nowhere is not a directory/],
    [['check', 'a', 'b'], /only one directory/],
    [['check', '--wrong'], /--wrong/],
    [['check', '--ref', 'main'], /git ls-tree/],
    [['check', '--ref', 'main', '--staged'], /either --ref or --staged/],
    [['chekc'], /There is no command "chekc"/],
    [[], /^$/],
  ]
  for (const [args, error] of cases) {
    const ran = await content(args, directory)
    assert.equal(ran.code, 2, args.join(' '))
    assert.match(ran.error, error)
  }
  const help = await content(['check', '--help'], directory)
  assert.equal(help.code, 0)
  assert.match(help.out, /^Usage: content check/)
})

test('--fix changes files where there is one right answer, and checks what they are then', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  const script = "const response = await fetch('api/menu')\nreturn response.json()\n"
  await commit({
    ...GOOD_FILES,
    'site/cafe.json': text({...SITE, pollInterval: 60_000}),
    'tool/menu.js': script,
  })
  const {code, out, error} = await content(['check', '--fix'], directory)
  assert.deepEqual([code, out], [0, '3 documents: nothing to report.\n'])
  assert.equal(
    error,
    `site/cafe.json: Use 300 seconds
tool/menu.json: Use /api/menu
`,
  )
  const fixed = await readFile(join(directory, 'tool/menu.js'), 'utf8')
  assert.equal(fixed, "const response = await fetch('/api/menu')\nreturn response.json()\n")
})

test('--fix writes documents as the lake does, which keeps their revisions', async (t) => {
  const {directory, commit, git} = await temporaryWorkTree(t)
  const reversed = JSON.stringify(Object.fromEntries(Object.entries(SITE).reverse()))
  const table = GOOD_FILES['formTool/table.json']
  const menu = text({...TOOL, ...TEXTS})
  await commit({'site/cafe.json': reversed, 'tool/menu.json': menu, 'formTool/table.json': table})
  const {code, error} = await content(['check', '--fix'], directory)
  assert.deepEqual(
    [code, error],
    [0, 'site/cafe.json: Write it as the lake does\ntool/menu.json: Write it as the lake does\n'],
  )
  for (const [path, file] of Object.entries(GOOD_FILES))
    assert.equal(await readFile(join(directory, path), 'utf8'), file)
  await git('add', '.')
  const revisionsIn = async (at: string) =>
    [...readSnapshot(await readRevision(directory, at, {})).values()].map(({_id, _rev}) => [_id, _rev])
  const before = await revisionsIn('HEAD')
  await commit({})
  assert.deepEqual(await revisionsIn('HEAD'), before)
})

test('--fix leaves documents that break a rule, and repositories without a work tree', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  const script = "const response = await fetch('api/menu')\nreturn response.json(\n"
  await commit({...GOOD_FILES, 'tool/menu.js': script})
  assert.equal((await content(['check', '--fix'], directory)).code, 1)
  assert.equal(await readFile(join(directory, 'tool/menu.js'), 'utf8'), script)
  const bare = await temporaryFolder(t)
  execFileSync('git', ['clone', '--quiet', '--bare', directory, join(bare, 'bare.git')])
  const refused = await content(['check', join(bare, 'bare.git'), '--fix'], '/')
  assert.equal(refused.code, 2)
  assert.match(refused.error, /has no work tree: clone it, fix the clone, and push/)
  assert.match(
    (await content(['check', '--fix', '--staged'], directory)).error,
    /leave out --ref and --staged/,
  )
})

/** What a pull request adds to make Git take a folder for a repository of its own, and what would run then. */
async function embed(
  {write}: {write(path: string, content: unknown): Promise<void>},
  at: string,
  log: string,
) {
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${log}; false"\n`
  const files = {HEAD: 'ref: refs/heads/main\n', 'objects/.keep': '', 'refs/.keep': '', config}
  for (const [path, file] of Object.entries(files)) await write(`${at}/${path}`, file)
}

test('a folder of the content that looks like a repository is not obeyed', async (t) => {
  const log = join(await temporaryFolder(t), 'ran')
  const {directory, commit, ...repository} = await temporaryWorkTree(t)
  await embed(repository, 'content', log)
  await repository.write('content/tool/menu.js', 'return (')
  await commit({})
  const commands = [['check'], ['check', '--staged'], ['check', '--ref', 'HEAD'], ['check', '--fix']]
  for (const folder of ['content', 'content/tool'])
    for (const command of [...commands, ['test', '--base-url', 'http://127.0.0.1:9']]) {
      const {code, error} = await content([...command, '--', folder], directory)
      assert.equal(code, 2, command.join(' '))
      assert.match(error, /content looks like a Git repository, but its files are part of another one\./)
    }
  assert.equal((await content(['diff', '--dir', 'content', 'HEAD'], directory)).code, 2)
  assert.ok(!existsSync(log))
})

test('.handrail/content.git is the content only if the repository around it does not track it', async (t) => {
  const log = join(await temporaryFolder(t), 'ran')
  const {directory, commit, ...repository} = await temporaryWorkTree(t)
  await commit(BROKEN)
  await repository.git('clone', '--quiet', '--bare', '.', '.handrail/content.git')
  const own = await content(['check'], directory)
  assert.equal(own.error, `The content is in ${join(directory, '.handrail/content.git')}.\n`)
  await rm(join(directory, '.handrail'), {recursive: true})
  await embed(repository, '.handrail/content.git', log)
  await commit({})
  const {code, out, error} = await content(['check'], directory)
  assert.deepEqual([code, error], [1, ''])
  assert.match(out, /^tool\/menu\.js$/m)
  assert.ok(!existsSync(log))
})
