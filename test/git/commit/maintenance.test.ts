import {equal, ok} from 'node:assert/strict'
import {test} from 'node:test'
import {Maintenance} from '../../../git/commit/maintenance.ts'
import {type TestRepository, temporaryRepository, unpack} from '../../lake/support/git.ts'
import {recordingLogger} from '../../lake/support/log.ts'

const many = 100

async function looseObjects({git}: TestRepository): Promise<number> {
  return Number(/^count: (\d+)/.exec(await git('count-objects', '-v'))?.[1])
}

test('objects written by publishes are packed once there are many', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'a'})
  await unpack(repository)
  const {logger, warnings} = recordingLogger()
  const housekeeping = new Maintenance(repository.directory, logger)
  for (let count = 0; count < many; count += 1) housekeeping.published()
  await housekeeping.settled()
  equal(await looseObjects(repository), 0)
  await repository.git('fsck', '--strict')
  equal(warnings.length, 0)
})

test("no housekeeping runs if it is switched off in Git's configuration", async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'a'})
  await unpack(repository)
  await repository.git('config', 'gc.auto', '0')
  const housekeeping = new Maintenance(repository.directory, recordingLogger().logger)
  for (let count = 0; count < many; count += 1) housekeeping.published()
  await housekeeping.settled()
  ok((await looseObjects(repository)) > 0)
})
