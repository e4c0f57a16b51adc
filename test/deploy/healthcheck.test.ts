import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {type TestContext, test} from 'node:test'
import {listen} from '../support/network/ports.ts'
import {projectFile} from './support/files.ts'

/** The exit code of the health check against a server that returns these statuses, the last one from then on; none: it has closed. */
async function exitCodeFor(t: TestContext, statuses: readonly number[], limit: string): Promise<unknown> {
  const left = [...statuses]
  const server = createServer((_, response) =>
    response.writeHead(left.shift() ?? statuses.at(-1) ?? 200).end(),
  )
  const port = await listen(server, t)
  if (statuses.length === 0) await new Promise((resolve) => server.close(resolve))
  const args = [projectFile('deploy/healthcheck.ts'), 'LAKE_PORT', limit]
  const check = execFile(process.execPath, args, {env: {LAKE_PORT: `${port}`}})
  const [code] = await once(check, 'exit')
  return code
}

// Whether it succeeds within the limit of production would depend on how busy this machine is.
for (const [what, statuses, limit, code] of [
  ['responds is healthy', [200], '60000', 0],
  ['is ready after a while is healthy then', [503, 503, 200], '60000', 0],
  ['is not ready is not healthy', [503], '300', 1],
  ['does not listen is not healthy', [], '300', 1],
] as const)
  test(`a process that ${what}`, async (t) => assert.equal(await exitCodeFor(t, statuses, limit), code))
