import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import type {TestContext} from 'node:test'
import {fileURLToPath} from 'node:url'
import {startLake} from '../../../../lake/lake.ts'
import {token} from '../app.ts'
import {temporaryRepository} from '../git.ts'
import {recordingLogger} from '../log.ts'

const self = fileURLToPath(import.meta.url)

/** A lake in a separate process, with the heap size of the manifests. */
export async function spawnLake(t: TestContext) {
  const repository = await temporaryRepository(t)
  const child = spawn(process.execPath, ['--max-old-space-size=560', self, repository.directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const [address]: string[] = await once(createInterface(child.stdout), 'line')
  if (address === undefined) throw new Error('the lake did not start')
  return {repository, address, isAlive: () => child.exitCode === null && child.signalCode === null}
}

if (process.argv[1] === self) {
  const [, , contentDir = ''] = process.argv
  const {logger} = recordingLogger()
  const lake = await startLake({
    host: '127.0.0.1',
    port: 0,
    contentDir,
    projectId: 'local',
    dataset: 'production',
    apiToken: token,
    logger,
  })
  console.log(lake.address)
}
