import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {isJsonObject} from '../../../common/json.ts'
import {temporaryRepository} from '../../lake/support/git.ts'
import {
  FORM,
  GOOD_FILES,
  REFERENCE,
  SCHEMA,
  SCRIPT,
  SITE,
  TEXTS,
  TOOL,
  text,
} from '../../support/brokenRepositories/documents.ts'
import {content} from '../support/run.ts'

/** What `content diff` prints if the good repository changes like this. */
async function diffOf(t: TestContext, files: Record<string, string | undefined>, ...args: string[]) {
  const {directory, commit} = await temporaryRepository(t)
  await commit(GOOD_FILES)
  await commit(files)
  const {code, out, error} = await content(['diff', 'HEAD~1', 'HEAD', ...args], directory)
  assert.equal(error, '')
  return {code, out}
}

test('a changed line of a script is shown as a diff', async (t) => {
  const {out} = await diffOf(t, {'tool/menu.js': SCRIPT.replace('/api/menu', '/api/dishes')})
  assert.equal(
    out,
    `### Site \`Tide Café\`

Tools: 1 changed.

#### Changed tool: \`showMenu\` on \`/menu\`

**Script**:

\`\`\`diff
@@ -1,2 +1,2 @@
-const response = await fetch('/api/menu', {signal})
+const response = await fetch('/api/dishes', {signal})
 return response.json()
\`\`\`
`,
  )
})

test('a document that moves to another layout changes nothing for visitors', async (t) => {
  const one = text({...TOOL, ...TEXTS})
  const {code, out} = await diffOf(
    t,
    {
      'lake.json': undefined,
      'tool/menu.json': one,
      'tool/menu.js': undefined,
      'tool/menu.schema.json': undefined,
    },
    '--exit-code',
  )
  assert.deepEqual({code, out}, {code: 0, out: 'Nothing changes for visitors.\n'})
})

test('hints and titles are those that are served, inferred ones too', async (t) => {
  const {out} = await diffOf(t, {
    'tool/menu.json': text({...TOOL, name: 'orderMenu', description: 'Orders the menu.'}),
  })
  assert.match(out, /\*\*Name\*\*: `showMenu` → `orderMenu`/)
  assert.match(out, /\*\*Title\*\*: `Show Menu` → `Order Menu`/)
  assert.match(out, /\*\*Hints\*\*: `readOnlyHint` → `consequentialHint`/)
  assert.match(out, /\*\*Description\*\*: `Returns the dishes.*` → `Orders the menu\.`/)
})

test('parameters come, go and change one by one', async (t) => {
  const schemaOf = (properties: object, required: string[]) =>
    JSON.stringify({type: 'object', properties, required})
  const {directory, commit} = await temporaryRepository(t)
  const day = {type: 'string', description: 'A day'}
  await commit({...GOOD_FILES, 'tool/menu.schema.json': schemaOf({day, guests: {type: 'integer'}}, [])})
  await commit({'tool/menu.schema.json': schemaOf({day, vegan: {type: 'boolean'}}, ['day'])})
  const {out} = await content(['diff', 'HEAD~1', 'HEAD'], directory)
  assert.match(out, /\*\*Parameter `day`\*\*: `\{"type":"string",.*\}` → `required \{"type":"string",.*\}`/)
  assert.match(out, /\*\*Parameter `guests`\*\*: gone, was `\{"type":"integer"\}`/)
  assert.match(out, /\*\*Parameter `vegan`\*\*: `\{"type":"boolean"\}`/)
})

test('tools come and go, with the reason', async (t) => {
  const {out} = await diffOf(t, {
    'tool/menu.js': 'return (',
    'formTool/table.json': undefined,
    'tool/drinks.json': text({...TOOL, ...TEXTS, _id: 'drinks', name: 'listDrinks', pathPattern: '/bar/**'}),
  })
  assert.match(out, /^Tools: 1 new, 2 gone\.$/m)
  assert.match(out, /^#### New tool: `listDrinks` on `\/bar\/\*\*`$/m)
  assert.match(
    out,
    /^#### Gone form tool: `reserveTable` on `\/reserve`\n\nNo longer offered: The document was deleted\.$/m,
  )
  assert.match(
    out,
    /^#### Gone tool: `showMenu` on `\/menu`\n\nNo longer offered: `Its field “Script” breaks a rule: .*`$/m,
  )
})

test('a tool that is switched off, moved, or loses its name to another is gone', async (t) => {
  const pub = {...SITE, _id: 'pub', name: 'The pub', publicId: 'the-pub'}
  const {directory, commit} = await temporaryRepository(t)
  const third = {...TOOL, ...TEXTS, _id: 'third', name: 'third', pathPattern: '/third'}
  await commit({...GOOD_FILES, 'site/pub.json': text(pub), 'tool/third.json': text(third)})
  await commit({
    'tool/menu.json': text({...TOOL, enabled: false}),
    'tool/third.json': text({...third, site: {...REFERENCE, _ref: 'pub'}}),
    'tool/a.json': text({...TOOL, ...TEXTS, _id: 'a', name: 'reserveTable'}),
  })
  const {out} = await content(['diff', 'HEAD~1', 'HEAD'], directory)
  assert.match(out, /Gone tool: `showMenu` on `\/menu`\n\nNo longer offered: `It is switched off\.`/)
  assert.match(out, /Gone tool: `third` on `\/third`\n\nNo longer offered: `It belongs to another site\.`/)
  assert.match(
    out,
    /Gone form tool: `reserveTable`.*\n\nNo longer offered: `Another tool of this site is named/,
  )
  assert.match(out, /### Site `The pub`\n\nTools: 1 new\.\n\n#### New tool: `third`/)
})

test('a site that goes off, or comes, or changes its settings', async (t) => {
  const off = await diffOf(t, {'site/cafe.json': text({...SITE, enabled: false})})
  assert.match(off.out, /\*\*The pages of the site offer no tools: `The site is switched off\.`\*\*/)
  const changed = await diffOf(t, {'site/cafe.json': text({...SITE, publicId: 'tide-bar', pollInterval: 60})})
  assert.match(changed.out, /\*\*Public ID\*\*: `tide-cafe` → `tide-bar`/)
  assert.match(changed.out, /\*\*Poll interval\*\*: `300` → `60`/)
  const gone = await diffOf(t, {'site/cafe.json': undefined})
  assert.match(gone.out, /The site is gone/)
  // Its public ID belongs to an older site.
  const twin = await diffOf(t, {'site/a.json': text({...SITE, _id: 'a', name: 'A'})})
  assert.match(
    twin.out,
    /### Site `Tide Café`\n\n\*\*The pages of the site offer no tools: `The older site “A”/,
  )
})

test('what is in the content cannot leave its code span, mention people or hide', async (t) => {
  const description = 'Shows ``` @everyone ` </code><img src=x>\n\n# the menu \u202e of the day.'
  const {out} = await diffOf(t, {
    'tool/menu.json': text({...TOOL, description}),
    'tool/menu.js': '/*\n```\n# @everyone\n*/\nreturn "\u202e"\n',
  })
  assert.match(
    out,
    /→ ````Shows ``` @everyone ` <\/code><img src=x> # the menu \\u\{202e\} of the day\.````\n/,
  )
  assert.match(
    out,
    /\n````diff\n.*\n-.*\n-.*\n\+\/\*\n\+```\n\+# @everyone\n\+\*\/\n\+return "\\u\{202e\}"\n````\n$/,
  )
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
  const {directory, commit} = await temporaryRepository(t)
  await commit(GOOD_FILES)
  await commit({...Object.fromEntries(tools), 'tool/menu.js': 'return 1\n'.repeat(2_000)})
  const {out} = await content(['diff', 'HEAD~1'], directory)
  assert.ok(out.length < 65_536)
  assert.match(out, /^Tools: 300 new, 1 changed\.$/m)
  assert.match(out, /\*Shortened: \d+ more parts\. `content diff` shows all of them\.\*\n$/)
  const json = await content(['diff', 'HEAD~1', '--json', '--exit-code'], directory)
  assert.equal(json.code, 1)
  const report: unknown = JSON.parse(json.out)
  assert.ok(isJsonObject(report) && Array.isArray(report.sites))
  const [site]: unknown[] = report.sites
  assert.ok(isJsonObject(site) && Array.isArray(site.tools))
  assert.equal(site.tools.length, 301)
})

test('compares with the work tree, and exits with 2 if it cannot compare', async (t) => {
  const {directory, commit, write} = await temporaryRepository(t)
  await commit(GOOD_FILES)
  await write('formTool/table.json', text({...FORM, autosubmit: true}))
  const {out} = await content(['diff', 'HEAD', '--dir', directory], '/')
  assert.match(out, /\*\*Submit without asking\*\*: `yes`/)
  await write('tool/menu.schema.json', SCHEMA.replace('"properties"', '"title": "x", "properties"'))
  assert.match((await content(['diff', 'HEAD'], directory)).out, /\*\*Parameters, as a whole\*\*/)
  for (const args of [[], ['nowhere'], ['a', 'b', 'c'], ['--output=x']])
    assert.equal((await content(['diff', ...args], directory)).code, 2, args.join(' '))
})
