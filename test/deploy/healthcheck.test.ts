import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {type TestContext, test} from 'node:test'
import {listen} from '../support/network/ports.ts'
import {projectFile} from './support/files.ts'

/** The exit code of the health check against a server that returns a status, or that has closed. */
async function exitCodeFor(t: TestContext, status?: number): Promise<unknown> {
  const server = createServer((_, response) => response.writeHead(status ?? 200).end())
  const port = await listen(server, t)
  if (status === undefined) await new Promise((resolve) => server.close(resolve))
  // The limit of production would depend on how busy this machine is.
  const args = [projectFile('deploy/healthcheck.ts'), 'LAKE_PORT', '60000']
  const check = execFile(process.execPath, args, {env: {LAKE_PORT: `${port}`}})
  const [code] = await once(check, 'exit')
  return code
}

for (const [what, status, code] of [
  ['responds is healthy', 200, 0],
  ['is not ready is not healthy', 503, 1],
  ['does not listen is not healthy', undefined, 1],
] as const)
  test(`a process that ${what}`, async (t) => assert.equal(await exitCodeFor(t, status), code))
