import assert from 'node:assert/strict'
import {test} from 'node:test'
import {compare} from '../../../advice/changes/compare.ts'
import {markdown} from '../../../cli/diff/markdown.ts'
import {readSnapshot} from '../../../cli/diff/snapshot.ts'
import {
  GOOD_FILES,
  REFERENCE,
  SCRIPT,
  SITE,
  TEXTS,
  TOOL,
  text,
} from '../../support/brokenRepositories/documents.ts'
import {sourceFrom} from '../../support/brokenRepositories/source.ts'

type Files = Record<string, string | undefined>

/** What `content diff` prints if a repository changes like this, by default the good one. */
function diffOf(changes: Files, base: Files = GOOD_FILES) {
  const [before, after] = [base, {...base, ...changes}].map((files) => readSnapshot(sourceFrom(files)))
  assert.ok(before && after)
  return markdown(compare(before, after))
}

test('a changed line of a script is shown as a diff', () => {
  const out = diffOf({'tool/menu.js': SCRIPT.replace('/api/menu', '/api/dishes')})
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

test('what a tool without a script does is shown as rows', () => {
  const request = (members: object[], query: object[] = []) => {
    const sent = {address: '/api/menu', query, result: {kind: 'list', path: 'data.items', members}}
    const inputSchema = '{"type": "object", "properties": {"day": {"type": "string"}}}'
    return {
      'tool/menu.json': text({...TOOL, action: 'request', request: sent, inputSchema}),
      'tool/menu.js': undefined,
      'tool/menu.schema.json': undefined,
    }
  }
  const first = request([{path: 'title'}])
  assert.match(
    diffOf(first),
    /\*\*What it does\*\*: `Runs a script` → `Sends a request, and returns what comes back`\n\n\*\*Script\*\*:.*\n\n\*\*Requests\*\*: `GET \/api\/menu`\n\n\*\*Returns\*\*: `title \(of data\.items, at most 10\)`\n\n\*\*Parameter `day`\*\*: `Text`\n$/s,
  )
  const second = request([{path: 'title'}, {path: 'price'}], [{name: 'on', parameter: 'day'}])
  assert.match(
    diffOf(second, {...GOOD_FILES, ...first}),
    /`showMenu` on `\/menu`\n\n\*\*Returns\*\*: `title \(of data\.items, at most 10\)` → `title, price \(of data\.items, at most 10\)`\n\n\*\*Sends in the address\*\*: `on = \{day\}`\n$/,
  )
})

test('hints and titles are those that are served, inferred ones too', () => {
  const out = diffOf({
    'tool/menu.json': text({...TOOL, name: 'orderMenu', description: 'Orders the menu.'}),
  })
  assert.match(out, /\*\*Name\*\*: `showMenu` → `orderMenu`/)
  assert.match(out, /\*\*Title\*\*: `Show Menu` → `Order Menu`/)
  assert.match(
    out,
    /\*\*Read-only\*\*: `Auto: Yes` → `Auto: No`\n\n\*\*Consequential\*\*: `Auto: No` → `Auto: Yes`/,
  )
  assert.match(out, /\*\*Description\*\*: `Returns the dishes.*` → `Orders the menu\.`/)
})

test('tests that come, go or change are rows in words', () => {
  const tests = [
    {_key: 'a', _type: 'test', title: 'Today', page: '/menu', expect: [{kind: 'atLeast', value: '1'}]},
    {_key: 'b', _type: 'test', title: 'Works', page: '/menu'},
  ]
  const [today] = tests
  const withTests = {...GOOD_FILES, 'tool/menu.json': text({...TOOL, tests})}
  const changed = [{...today, expect: [{kind: 'atLeast', value: '2'}]}]
  const out = diffOf({'tool/menu.json': text({...TOOL, tests: changed})}, withTests)
  assert.match(
    out,
    /\*\*Test `Today`\*\*: `\/menu: the result has at least 1 entry` → `\/menu: the result has at least 2 entries`/,
  )
  assert.match(out, /\*\*Test `Works`\*\*: gone, was `\/menu: the call succeeds`/)
  assert.doesNotMatch(out, /Script/)
})

test('parameters come, go and change one by one', () => {
  const schemaOf = (properties: object, required: string[]) =>
    JSON.stringify({type: 'object', properties, required})
  const day = {type: 'string', description: 'A day'}
  const out = diffOf(
    {'tool/menu.schema.json': schemaOf({day, vegan: {type: 'boolean'}}, ['day'])},
    {...GOOD_FILES, 'tool/menu.schema.json': schemaOf({day, guests: {type: 'integer'}}, [])},
  )
  assert.match(out, /\*\*Parameter `day`\*\*: `Text A day` → `Text, required A day`/)
  assert.match(out, /\*\*Parameter `guests`\*\*: gone, was `Whole number`/)
  assert.match(out, /\*\*Parameter `vegan`\*\*: `Yes or no`/)
})

test('tools come and go, with the reason', () => {
  const out = diffOf({
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

test('a tool that is switched off, moved, or loses its name to another is gone', () => {
  const pub = {...SITE, _id: 'pub', name: 'The pub', publicId: 'the-pub'}
  const third = {...TOOL, ...TEXTS, _id: 'third', name: 'third', pathPattern: '/third'}
  const out = diffOf(
    {
      'tool/menu.json': text({...TOOL, enabled: false}),
      'tool/third.json': text({...third, site: {...REFERENCE, _ref: 'pub'}}),
      'tool/a.json': text({...TOOL, ...TEXTS, _id: 'a', name: 'reserveTable'}),
    },
    {...GOOD_FILES, 'site/pub.json': text(pub), 'tool/third.json': text(third)},
  )
  assert.match(out, /Gone tool: `showMenu` on `\/menu`\n\nNo longer offered: `It is switched off\.`/)
  assert.match(out, /Gone tool: `third` on `\/third`\n\nNo longer offered: `It belongs to another site\.`/)
  assert.match(
    out,
    /Gone form tool: `reserveTable`.*\n\nNo longer offered: `Another tool of this site is named/,
  )
  assert.match(out, /### Site `The pub`\n\nTools: 1 new\.\n\n#### New tool: `third`/)
})

test('a site that goes off, or comes, or changes its settings', () => {
  const off = diffOf({'site/cafe.json': text({...SITE, enabled: false})})
  assert.match(off, /\*\*The pages of the site offer no tools: `The site is switched off\.`\*\*/)
  const changed = diffOf({
    'site/cafe.json': text({
      ...SITE,
      publicId: 'tide-bar',
      pollInterval: 60,
      askBefore: 'changes',
      reportCalls: true,
      reportAfterConsent: true,
    }),
  })
  assert.match(changed, /\*\*Public ID\*\*: `tide-cafe` → `tide-bar`/)
  assert.match(changed, /\*\*Poll interval\*\*: `300 seconds` → `60 seconds`/)
  assert.match(changed, /\*\*Ask the visitor first\*\*: `Never` → `Before everything that is not read-only`/)
  assert.match(changed, /\*\*Count calls\*\*: `Yes`\n\n\*\*Only after consent\*\*: `Yes`/)
  const gone = diffOf({'site/cafe.json': undefined})
  assert.match(gone, /The site is gone/)
  // Its public ID belongs to an older site.
  const twin = diffOf({'site/a.json': text({...SITE, _id: 'a', name: 'A'})})
  assert.match(twin, /### Site `Tide Café`\n\n\*\*The pages of the site offer no tools: `The older site “A”/)
})

test('what is in the content cannot leave its code span, mention people or hide', () => {
  const description = 'Shows ``` @everyone ` </code><img src=x>\n\n# the menu \u202e of the day.'
  const out = diffOf({
    'tool/menu.json': text({...TOOL, description}),
    'tool/menu.js': '/*\n```\n# @everyone\n*/\nreturn 1\n',
  })
  assert.match(
    out,
    /→ ````Shows ``` @everyone ` <\/code><img src=x> # the menu \\u\{202e\} of the day\.````\n/,
  )
  assert.match(out, /\n````diff\n.*\n-.*\n-.*\n\+\/\*\n\+```\n\+# @everyone\n\+\*\/\n\+return 1\n````\n$/)
})

test('a line of a script that does not change is no command of a CI system', () => {
  const lines = ['/* ##[add-mask]x', '::stop-commands::x', '*/', '']
  const out = diffOf(
    {'tool/menu.js': `${lines.join('\n')}${SCRIPT.replace('/api/menu', '/api/dishes')}`},
    {...GOOD_FILES, 'tool/menu.js': `${lines.join('\n')}${SCRIPT}`},
  )
  assert.match(out, /^ \\u\{3a\}:stop-commands::x$/m)
  assert.match(out, /^ \/\* \\u\{23\}#\[add-mask\]x$/m)
})
