import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {test} from 'node:test'
import {temporaryFolder, temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, SITE, TEXTS, TOOL, text} from '../../support/brokenRepositories/documents.ts'
import {listen} from '../../support/network/ports.ts'
import {SHOP_CONTENT} from '../../support/shop.ts'
import {content} from '../support/run.ts'

const URL = ['--base-url', 'https://cafe.example']

const WRONG: readonly [args: readonly string[], message: RegExp][] = [
  [['a', 'b'], /only one directory/],
  [[SHOP_CONTENT], /^content test: Name the website with --base-url\.$/m],
  [['--base-url', 'ftp://x'], /must be an address such as/],
  [['--base-url', 'https://x.example/shop'], /must have no path/],
  [[SHOP_CONTENT, ...URL, '--site', 'x'], /no site with the public ID "x"\. There are: demo-shop\./],
  [[SHOP_CONTENT, ...URL, '--against', 'drafts'], /--against is "published"/],
  [[SHOP_CONTENT, ...URL, '--storage-state', 'gone.json'], /There is no file \/gone\.json/],
  [['--base-url', 'https://a:%@x.example'], /write "%" in the name or the password as "%25"/],
]
for (const [args, message] of WRONG) {
  test(`"content test ${args.join(' ').replace(SHOP_CONTENT, 'DIR')}" says what is wrong`, async () => {
    const {code, error} = await content(['test', ...args], '/')
    assert.match(error, message)
    assert.equal(code, 2)
  })
}

test('of several sites, the one with the address of the website is tested', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  const other = {...SITE, _id: 'other', publicId: 'other-cafe', addresses: ['https://other.example']}
  await commit({...GOOD_FILES, 'site/other.json': text(other)})
  const run = (...args: string[]) => content(['test', ...args], directory)
  assert.match((await run(...URL)).error, /Choose a site with --site: tide-cafe, other-cafe\./)
  const {out, error} = await run('--base-url', 'https://other.example')
  assert.equal(error, 'note: Write tests in Studio, or use --derived.\n')
  assert.equal(out, 'There are no tests to run.\n')
})

test('with --release, the tools are those of the release', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  const test = {_key: 'a', _type: 'test', title: 'Today', page: '/menu', prompt: 'What is there today?'}
  const version = {...TOOL, ...TEXTS, _id: `versions.rSpring.${TOOL._id}`, _rev: 'r', tests: [test]}
  const asked: (string | undefined)[] = []
  const lake = createServer((request, response) => {
    asked.push(request.headers.authorization)
    const isKnown = request.url?.includes('versions.rSpring.')
    response.end(JSON.stringify({result: isKnown ? [version] : []}))
  })
  t.after(() => lake.close())
  const args = [
    '--lake',
    `http://127.0.0.1:${await listen(lake)}`,
    '--export',
    join(await temporaryFolder(t), 'e.json'),
  ]
  const run = (name: string, token: string) =>
    content(['test', ...URL, '--release', name, ...args], directory, {LAKE_API_TOKEN: token})
  assert.match((await run('rSpring', '')).error, /Set LAKE_API_TOKEN/)
  assert.match((await run('rSummer', 'secret')).error, /no release rSummer with documents/)
  const {out} = await run('rSpring', 'secret')
  assert.match(out, /1 case for .*\/menu\n$/)
  assert.deepEqual(asked, ['Bearer secret', 'Bearer secret'])
})

test('with --changed, only the tests of changed tools are there', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  const tests = [{_key: 'a', _type: 'test', title: 'Today', page: '/menu', prompt: 'What is there today?'}]
  await commit({...GOOD_FILES, 'tool/menu.json': text({...TOOL, tests})})
  const folder = await temporaryFolder(t)
  const file = join(folder, 'evals.json')
  const run = (...args: string[]) => content(['test', '--export', file, ...args], directory)
  assert.match((await run('--changed', 'HEAD')).out, /^No test has a prompt\./)
  assert.match((await run()).out, /evals\.menu\.json: 1 case for \/menu\n$/)
  const [one] = JSON.parse(await readFile(join(folder, 'evals.menu.json'), 'utf8'))
  assert.equal(one.messages[0].content, 'What is there today?')
})
