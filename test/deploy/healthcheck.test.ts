import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {type TestContext, test} from 'node:test'
import {portOf} from '../support/network/ports.ts'
import {projectFile} from './support/files.ts'

type Checked = {
  /** What the server returns, the last one from then on; none: it has closed. */
  readonly statuses: readonly number[]
  readonly limit: string
  /** Where the server listens. */
  readonly address?: string
  /** What `LAKE_HOST` is. */
  readonly host?: string
  /** The process that the check watches. */
  readonly pid?: string
  /** Whether the process has not become the user of the check yet. */
  readonly isOfOther?: boolean
}

const OF_OTHER =
  'data:text/javascript,process.kill = () => { throw Object.assign(new Error(), {code: "EPERM"}) }'

/** The exit code of the health check. */
async function exitCodeFor(
  t: TestContext,
  {statuses, limit, address = '127.0.0.1', host, pid, isOfOther = false}: Checked,
): Promise<unknown> {
  const left = [...statuses]
  const server = createServer((_, response) =>
    response.writeHead(left.shift() ?? statuses.at(-1) ?? 200).end(),
  )
  await once(server.listen(0, address), 'listening')
  const port = portOf(server)
  t.after(() => server.close().closeAllConnections())
  if (statuses.length === 0) await new Promise((resolve) => server.close(resolve))
  const args = [
    ...(isOfOther ? ['--import', OF_OTHER] : []),
    ...[projectFile('deploy/healthcheck.ts'), 'LAKE_PORT', limit, ...(pid === undefined ? [] : [pid])],
  ]
  const check = execFile(process.execPath, args, {env: {LAKE_PORT: `${port}`, LAKE_HOST: host ?? ''}})
  const [code] = await once(check, 'exit')
  return code
}

/** The ID of a process that has ended. */
async function endedPid(): Promise<string> {
  const child = execFile('true')
  await once(child, 'exit')
  return String(child.pid)
}

// Whether it succeeds within the limit of production would depend on how busy this machine is.
const LONG = '60000'

for (const [what, checked, code] of [
  ['responds is healthy', {statuses: [200], limit: LONG}, 0],
  [
    'responds and runs as another user yet is healthy',
    {statuses: [200], limit: LONG, pid: String(process.pid), isOfOther: true},
    0,
  ],
  ['is ready after a while is healthy then', {statuses: [503, 503, 200], limit: LONG}, 0],
  ['is not ready is not healthy', {statuses: [503], limit: '300'}, 1],
  ['does not listen is not healthy', {statuses: [], limit: '300'}, 1],
  ['has ended is not healthy, without a wait', {statuses: [], limit: '2000000000', pid: await endedPid()}, 1],
  [
    'listens on another address is healthy',
    {statuses: [200], limit: LONG, address: '127.0.0.2', host: '127.0.0.2'},
    0,
  ],
  ['listens on any IPv6 address is healthy', {statuses: [200], limit: LONG, address: '::', host: '::'}, 0],
] as const)
  test(`a process that ${what}`, async (t) => assert.equal(await exitCodeFor(t, checked), code))
