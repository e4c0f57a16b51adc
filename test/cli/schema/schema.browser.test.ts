import {equal, match} from 'node:assert/strict'
import {mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {schemaFiles} from '../../../cli/schema/command.ts'
import {git} from '../../../git/process.ts'
import {temporaryRepository, temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, TOOL, text} from '../../support/brokenRepositories/documents.ts'
import {SHOP_CONTENT} from '../../support/shop.ts'
import {content} from '../support/run.ts'

test('every command of AGENTS.md works in a clone, and the lake reads none of these files', async (t) => {
  const {directory: cwd, commit} = await temporaryWorkTree(t)
  const tests = [{_key: 'a', title: 'It works', page: '/menu'}]
  await commit({...GOOD_FILES, 'tool/menu.json': text({...TOOL, tests})})
  await git(cwd, ['remote', 'add', 'origin', (await temporaryRepository(t)).directory])
  await git(cwd, ['push', '--quiet', 'origin', 'main'])
  for (const name of ['name', 'email']) await git(cwd, ['config', `user.${name}`, 'ada@example.com'])
  equal((await content(['schema'], cwd)).out.trim(), [...schemaFiles().keys()].join('\n'))
  // The lake adds this one itself.
  for (const [path, text] of schemaFiles())
    if (path !== '.gitignore')
      equal(await readFile(join(SHOP_CONTENT, path), 'utf8'), text, `"content schema" of ${path}`)
  match((await content(['schema'], cwd)).out, /^AGENTS\.md stays as it is\n\.gitignore stays as it is\n/)
  await git(cwd, ['add', '--all'])
  await git(cwd, ['commit', '--quiet', '--message', 'Explain the content'])
  const agentsFile = schemaFiles().get('AGENTS.md') ?? ''
  const commands = [...agentsFile.matchAll(/^(handrail-content|git) (.+)$/gm)]
  equal(commands.length, 10)
  const secrets = ['.env', '.env.local', 'storage-state.json', 'shop-storageState.json', '.auth/ada.json']
  await mkdir(join(cwd, '.auth'))
  for (const path of [...secrets, 'notes.txt']) await writeFile(join(cwd, path), '{}')
  for (const [, program, words = ''] of commands) {
    const args = Array.from(words.matchAll(/"([^"]+)"|\S+/g), ([word, quoted]) => quoted ?? word)
    if (program === 'git') await git(cwd, args)
    else if (args[0] === 'test')
      match((await content([...args.slice(0, -1), 'http://127.0.0.1:1'], cwd)).out, /ERR_/)
    else equal((await content(args, cwd)).code, 0, words)
  }
  // No person's file is pushed, and those with secrets would not be with all others.
  match(
    await git(cwd, ['show', '--format=', '--name-only', 'origin/describe-the-change']),
    /^(tool\/\S+\n)+$/,
  )
  equal(await git(cwd, ['status', '--porcelain']), '?? notes.txt\n')
  match((await content(['check'], cwd)).out, /\n4 documents: \d warnings?.*\.\n$/)
})
