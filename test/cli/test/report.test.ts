import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {json} from 'node:stream/consumers'
import {type TestContext, test} from 'node:test'
import {parse, reportTarget} from '../../../cli/test/options.ts'
import {reportToLake} from '../../../cli/test/reportToLake.ts'
import {parseReport} from '../../../lake/reports/testReports.ts'
import {recipe} from '../../deploy/ci/support.ts'
import {temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, SITE} from '../../support/brokenRepositories/documents.ts'
import {listen} from '../../support/network/ports.ts'
import {content} from '../support/run.ts'

type Received = {path: string; token: string; body: unknown}

/** A server that responds with one status after the other. */
async function fakeLake(t: TestContext, ...statuses: number[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const {url = '', headers} = request
    const body: unknown = await json(request)
    received.push({path: url, token: headers.authorization ?? '', body})
    response.writeHead(statuses.shift() ?? 204).end('{"message": "You may not report tests."}')
  })
  return {address: `http://127.0.0.1:${await listen(server, t)}`, received}
}

const CONSOLE = {
  out: () => {},
  error: () => {},
  environment: {},
  directory: '/',
  input: async () => '',
  wait: async () => {},
}

test('the lake gets the counts of each tool, and the first cause', async (t) => {
  const {address, received} = await fakeLake(t, 503)
  const waits: number[] = []
  const console = {...CONSOLE, wait: async (milliseconds: number) => void waits.push(milliseconds)}
  const of = {id: 'menu', name: 'getMenu'}
  const results = [of, {...of, failure: 'GET /menu returned 404.'}, {...of, failure: 'x'.repeat(9_000)}]
  const run = {siteId: 'cafe', commit: 'abc1234', revisions: {menu: 'r1'}, isPartial: false}
  await reportToLake({address, token: 't'}, run, results, console)
  assert.deepEqual(waits, [1_000], 'after a lake that is not available')
  const [, sent] = received
  assert.equal(sent?.path, '/v1/tests/cafe')
  assert.equal(sent.token, 'Bearer t')
  const tool = {
    id: 'menu',
    name: 'getMenu',
    revision: 'r1',
    passed: 1,
    failed: 2,
    problem: 'GET /menu returned 404.',
  }
  assert.deepEqual(parseReport(sent.body), {commit: 'abc1234', tools: [tool], isPartial: false})
  const long = [{...of, failure: 'x'.repeat(9_000)}]
  await reportToLake({address, token: 't'}, {siteId: 'cafe', commit: '', isPartial: false}, long, console)
  assert.doesNotThrow(() => parseReport(received.at(-1)?.body))
})

test('"content test --report-to" names the commit, says whether tools were left out, and fails if the lake refuses the report', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  const {address, received} = await fakeLake(t, 204, 204, 204, 204, 403)
  const run = (environment: NodeJS.ProcessEnv, ...more: string[]) =>
    content(
      ['test', '--base-url', 'https://cafe.example', '--report-to', address, ...more],
      directory,
      environment,
    )
  assert.equal((await run({TEST_REPORT_TOKEN: 't'})).code, 0)
  const [sent] = received
  assert.equal(sent?.path, `/v1/tests/${SITE._id}`)
  const whole = parseReport(sent.body)
  assert.match(whole.commit, /^[0-9a-f]{40}$/)
  assert.equal(whole.isPartial, false)
  for (const option of ['--changed', '--grep', '--shard']) {
    assert.equal((await run({TEST_REPORT_TOKEN: 't'}, option, 'HEAD')).code, 0)
    assert.equal(parseReport(received.at(-1)?.body).isPartial, true, option)
  }
  const refused = await run({TEST_REPORT_TOKEN: 't'})
  assert.equal(refused.code, 2)
  assert.match(refused.error, /could not be reported to http:\S+: status 403, You may not report tests\./)
  assert.match((await run({})).error, /Set TEST_REPORT_TOKEN/)
  assert.equal(received.length, 5)
})

test('the scheduled workflow uses inputs of the action and options of "content test" that exist', async () => {
  const {inputs} = await recipe('action.yml')
  const {jobs} = await recipe('scheduled.yml')
  const {tests} = Object(jobs)
  const step = tests.steps.at(-1)
  assert.deepEqual(
    Object.keys(step.with).filter((name) => !Object.hasOwn(Object(inputs), name)),
    [],
  )
  const {values} = parse(['--base-url', step.with['base-url'], ...step.with['test-options'].split(' ')])
  assert.deepEqual([values.against, values['read-only']], ['published', true])
  assert.deepEqual(reportTarget(values, {...CONSOLE, environment: tests.env}), {
    address: 'https://lake.example.com',
    token: tests.env.TEST_REPORT_TOKEN,
  })
})
