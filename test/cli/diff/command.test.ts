import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isJsonObject} from '../../../common/json.ts'
import {temporaryWorkTree} from '../../lake/support/git.ts'
import {FORM, GOOD_FILES, SCHEMA, TEXTS, TOOL, text} from '../../support/brokenRepositories/documents.ts'
import {content} from '../support/run.ts'

test('a document that moves to one file changes nothing for visitors', async (t) => {
  const one = text({...TOOL, ...TEXTS})
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  await commit({
    'tool/menu.json': one,
    'tool/menu.js': undefined,
    'tool/menu.schema.json': undefined,
  })
  const {code, out} = await content(['diff', 'HEAD~1', 'HEAD'], directory)
  assert.deepEqual({code, out}, {code: 0, out: 'Nothing changes for visitors.\n'})
})

test('the Markdown fits into a comment, and JSON has all of it', async (t) => {
  const tools = Array.from({length: 300}, (_, index): [string, string] => {
    const fields = {
      ...TOOL,
      ...TEXTS,
      _id: `t${index}`,
      name: `find${index}`,
      description: 'Finds a dish. '.repeat(40),
    }
    return [`tool/t${index}.json`, text(fields)]
  })
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  await commit({...Object.fromEntries(tools), 'tool/menu.js': 'return 1\n'.repeat(2_000)})
  const {out} = await content(['diff', 'HEAD~1'], directory)
  assert.ok(out.length < 65_536)
  assert.match(out, /^Tools: 300 new, 1 changed\.$/m)
  assert.match(out, /\*Shortened: \d+ more parts\. `content diff` shows all of them\.\*\n$/)
  const json = await content(['diff', 'HEAD~1', '--json'], directory)
  const report: unknown = JSON.parse(json.out)
  assert.ok(isJsonObject(report) && Array.isArray(report.sites))
  const [site]: unknown[] = report.sites
  assert.ok(isJsonObject(site) && Array.isArray(site.tools))
  assert.equal(site.tools.length, 301)
})

test('compares with the work tree, and exits with 2 if it cannot compare', async (t) => {
  const {directory, commit, write} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  await write('formTool/table.json', text({...FORM, autosubmit: true}))
  const {out} = await content(['diff', 'HEAD', '--dir', directory], '/')
  assert.match(out, /\*\*Submit without asking\*\*: `Yes`/)
  await write('tool/menu.schema.json', SCHEMA.replace('"properties"', '"title": "x", "properties"'))
  assert.match((await content(['diff', 'HEAD'], directory)).out, /\*\*Parameters `title`\*\*/)
  for (const args of [[], ['nowhere'], ['a', 'b', 'c'], ['--output=x']])
    assert.equal((await content(['diff', ...args], directory)).code, 2, args.join(' '))
})
