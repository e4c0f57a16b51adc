import {deepEqual, equal, match} from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, SITE, text} from '../../support/brokenRepositories/documents.ts'
import {content} from '../support/run.ts'

const API = {
  openapi: '3.1.0',
  servers: [{url: 'https://cafe.example/v1'}],
  paths: {
    '/books': {
      get: {
        summary: 'Finds books by a word in their title. Returns title and year.',
        operationId: 'searchBooks',
        parameters: [
          {name: 'q', in: 'query', required: true, description: 'A word', schema: {type: 'string'}},
          {name: 'X-Key', in: 'header', required: true, schema: {type: 'string'}},
        ],
      },
    },
    '/books/{id}': {delete: {responses: {}}},
  },
}
const CURL = `curl 'https://cafe.example/api/teas?q=mint' -H 'Accept: application/json' -H 'Cookie: id=1'`

async function clone(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const tree = await temporaryWorkTree(t)
  const site = text({...SITE, addresses: ['https://cafe.example']})
  await tree.commit({...GOOD_FILES, 'site/cafe.json': site, 'api.json': JSON.stringify(API), ...files})
  const {directory} = tree
  const make = (args: readonly string[], input = '') =>
    content(['new', 'tool', ...args], directory, {}, input)
  return {...tree, make, read: async (path: string) => JSON.parse(await tree.git('show', `:${path}`))}
}

test('an operation of an API becomes the files of a tool, without what is not its own', async (t) => {
  const {directory, make, git, read} = await clone(t)
  const listed = await make(['--openapi', 'api.json'])
  match(listed.out, /^GET \/books {10}Finds books .+\nDELETE \/books\/\{id\}\n$/)
  const args = ['--openapi', 'api.json', '--operation', 'GET /books', '--path', '/books/**']
  const {code, out, error} = await make(args)
  equal(code, 0, error)
  match(out, /^tool\/search-books\.json\ntool\/search-books\.schema\.json\n.*X-Key/)
  match(out, /\nNext:\n {2}handrail-content check\n.* test --base-url https:\/\/cafe\.example --derived\n/)
  await git('add', '--all')
  const tool = await read('tool/search-books.json')
  deepEqual([tool.site._ref, tool.enabled, tool.pathPattern], ['cafe', true, '/books/**'])
  deepEqual(tool.request.query, [{_key: 'row1', _type: 'row', name: 'q', parameter: 'q'}])
  equal(tool.request.address, '/v1/books')
  deepEqual((await read('tool/search-books.schema.json')).required, ['q'])
  equal((await content(['check'], directory)).code, 0)

  const again = await make(args)
  deepEqual([again.code, again.out], [2, ''])
  match(again.error, /The site has a tool “searchBooks”: choose another name with --name\./)
  const renamed = await make([...args, '--name', 'search.books'])
  match(renamed.out, /^tool\/search-books2\.json\n/, 'the files of the first stay as they are')
})

test('each recipe becomes documents that keep the rules', async (t) => {
  const {directory, make, git, read} = await clone(t)
  const recipes = (await make(['--recipe'])).out.trim().split('\n')
  equal(recipes.length, 8)
  for (const recipe of recipes) {
    const [name = ''] = recipe.split(' ')
    const {code, error} = await make(['--recipe', name, '--description', `Does ${name} on this website.`])
    equal(code, 0, error)
  }
  await git('add', '--all')
  deepEqual((await read('formTool/filter-list.json')).pagePath, '/your-list')
  equal((await content(['check'], directory)).code, 0)
})

test('what cannot become a tool is said in words, and no file is written', async (t) => {
  const other = text({...SITE, _id: 'bar', publicId: 'night-bar'})
  const {directory, git, write, make} = await clone(t, {'site/bar.json': other})
  await write('tool/search-teas.js', 'A text of no document\n')
  const request = ['--request', '-', '--site', 'cafe']
  const refused: [args: string[], reason: RegExp, input?: string][] = [
    [[], /Say what the tool is made from: one of --openapi, --request, --recipe and --from\./],
    [['--recipe', 'lookUp'], /Choose a site with --site: night-bar, tide-cafe\./],
    [['--recipe', 'cook', '--site', 'night-bar'], /no recipe "cook"\. There are: lookUp, /],
    [['--openapi', 'gone.json'], /There is no file gone\.json\./],
    [['--openapi', 'site/cafe.json'], /This is no OpenAPI 3 file/],
    [['--openapi', 'api.json', '--operation', 'GET /x', '--site', 'bar'], /no operation “GET \/x”/],
    [request, /The command has no address/, 'curl'],
    [[...request, '--name', 'a b'], /: Name: /, CURL],
    [[...request, '--path', '/a/[b]'], /: Path pattern: /, CURL],
    [[...request, join('..', 'gone')], /cannot|not found|not a directory/, CURL],
  ]
  for (const [args, reason, input] of refused) {
    const {code, error} = await make(args, input)
    equal(code, 2, args.join(' '))
    match(error, reason)
  }
  match(
    (await make(request, CURL)).out,
    /^tool\/search-teas2\.json\n.*Left out: Cookie\. Browsers set.*Check the description/s,
    'a text there belongs to another document, and a cookie to one visitor',
  )
  equal((await git('status', '--porcelain', '-uall')).trim().split('\n').length, 3, directory)
})
