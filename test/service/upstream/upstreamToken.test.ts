import assert from 'node:assert/strict'
import {chmod, mkdtemp, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {newSecret} from '../../../common/secret.ts'
import {writeServiceToken} from '../../../common/serviceToken.ts'
import {createUpstreamClient} from '../../../service/upstream/client.ts'
import {readEventStream} from '../../../service/upstream/eventStream.ts'
import {listen} from '../../support/network/ports.ts'

/** An upstream that accepts one token, or requests without one, and records what each request sent. */
async function startUpstream(t: TestContext, accepts: {token: string | undefined}) {
  const sent: (string | undefined)[] = []
  const server = createServer(({headers, url = ''}, response) => {
    sent.push(headers.authorization?.replace('Bearer ', ''))
    const isAccepted = headers.authorization === (accepts.token && `Bearer ${accepts.token}`)
    const isStream = url.includes('/live/events/')
    response.writeHead(isAccepted ? 200 : 401, {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
    })
    if (isAccepted && isStream) response.write('event: welcome\nid: 1\ndata: {"id": "1"}\n\n')
    else response.end(JSON.stringify({result: 'content', ms: 0}))
  })
  return {sent, apiHost: `http://127.0.0.1:${await listen(server, t)}`}
}

async function tokenFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-token-'))
  t.after(() => rm(folder, {recursive: true}))
  return join(folder, 'service-token')
}

const project = {projectId: 'local', dataset: 'production'}

test('a token that appears or changes while the service runs is used from the next request on', async (t) => {
  const accepts: {token: string | undefined} = {token: newSecret()}
  const {sent, apiHost} = await startUpstream(t, accepts)
  const serviceTokenFile = await tokenFile(t)
  const problems: string[] = []
  const settings = {...project, apiHost, apiToken: undefined, serviceTokenFile}
  const client = createUpstreamClient(settings, (problem) => problems.push(problem))
  await assert.rejects(client.fetch('*'))
  await assert.rejects(client.fetch('*'))
  assert.equal(problems.length, 1, 'logged once')
  assert.match(problems[0] ?? '', /^The content lake rejected the service: .* set SANITY_API_TOKEN for both$/)

  const [first, second] = [accepts.token, newSecret()]
  await writeServiceToken(serviceTokenFile, first ?? '')
  assert.equal(await client.fetch('*'), 'content')
  await writeServiceToken(serviceTokenFile, second)
  accepts.token = second
  assert.equal(await client.fetch('*'), 'content')
  assert.deepEqual(sent.slice(2), [undefined, first, first, second])
})

test('live events send the token too', async (t) => {
  const accepts = {token: newSecret()}
  const {apiHost} = await startUpstream(t, accepts)
  const serviceTokenFile = await tokenFile(t)
  await writeServiceToken(serviceTokenFile, accepts.token)
  const tokens = [
    {apiToken: accepts.token, serviceTokenFile: undefined},
    {apiToken: undefined, serviceTokenFile},
  ]
  for (const settings of tokens) {
    const client = createUpstreamClient({...project, apiHost, ...settings})
    const {value} = await readEventStream(client, 1_000, AbortSignal.timeout(10_000)).next()
    assert.equal(value?.event, 'welcome')
  }
})

test('a refused token, and a file that other users can read, are reported with what to do', async (t) => {
  const {apiHost} = await startUpstream(t, {token: newSecret()})
  const problems: string[] = []
  const tell = (problem: string) => problems.push(problem)
  await assert.rejects(
    createUpstreamClient({...project, apiHost, apiToken: 'wrong', serviceTokenFile: undefined}, tell).fetch(
      '*',
    ),
  )
  const serviceTokenFile = await tokenFile(t)
  await writeServiceToken(serviceTokenFile, newSecret())
  await chmod(serviceTokenFile, 0o644)
  await assert.rejects(
    createUpstreamClient({...project, apiHost, apiToken: undefined, serviceTokenFile}, tell).fetch('*'),
  )
  assert.equal(problems.length, 2)
  assert.match(
    problems[0] ?? '',
    /^The content lake rejected the service’s token, or requires one: set SANITY_API_TOKEN /,
  )
  assert.match(problems[1] ?? '', /^The token of the service in .* other users can read it: run "chmod 600 /)
})
