import assert from 'node:assert/strict'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import type {LakeSettings} from '../../../lake/lakeSettings.ts'
import {type TestRepository, temporaryFolder, temporaryRepository, testRepository} from '../support/git.ts'
import {type RunningLake, runLakeOver} from '../support/lake.ts'

export const secret = 'a-secret-that-only-the-git-host-knows'

/** A lake over a clone of a bare repository, and a developer with another clone. */
export type Workshop = {
  lake: RunningLake
  remote: TestRepository
  developer: TestRepository
  /** The developer commits and pushes these files. */
  push(files: Record<string, unknown>): Promise<string>
  /** Sends a delivery to the lake, like a Git host. */
  deliver(): Promise<Answer>
  /** The publicly served title of a post. */
  title(id: string): Promise<unknown>
}

export type Answer = {status: number; body: Record<string, unknown>}

export const post = (id: string, title: string) => ({_id: id, _type: 'post', title})

export async function workshop(t: TestContext, settings: Partial<LakeSettings> = {}): Promise<Workshop> {
  const remote = await temporaryRepository(t)
  const repository = await temporaryRepository(t)
  await repository.commit({'post/a.json': post('a', 'first')}, 1_000)
  await repository.git('push', '--quiet', remote.directory, 'main')
  const developer = testRepository(join(await temporaryFolder(t), 'clone'))
  await repository.git('clone', '--quiet', remote.directory, developer.directory)
  const lake = await runLakeOver(t, repository, {
    gitRemote: remote.directory,
    gitWebhookSecrets: [secret],
    // A pull may take long on a busy machine.
    gitWebhookWait: 60_000,
    ...settings,
  })
  return {
    lake,
    remote,
    developer,
    async push(files) {
      const commit = await developer.commit(files)
      await developer.git('push', '--quiet')
      return commit
    },
    deliver: () => deliver(lake),
    title: (id) => lake.client.fetch('*[_id == $id][0].title', {id}, {perspective: 'published'}),
  }
}

/** A delivery of a Git host. */
export async function deliver(
  {address}: Pick<RunningLake, 'address'>,
  key = secret,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${address}/webhooks/git/${key}`, {
    method: 'POST',
    body: '{"ref": "refs/heads/main"}',
    headers: {'content-type': 'application/json', ...headers},
  })
  const answer: unknown = await response.json()
  assert.ok(typeof answer === 'object' && answer !== null)
  return {status: response.status, body: Object.fromEntries(Object.entries(answer))}
}
