import assert from 'node:assert/strict'
import {createHmac} from 'node:crypto'
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
  /** Sends the delivery to the lake, like GitHub. */
  deliver(changes?: DeliveryChanges): Promise<Answer>
  /** The publicly served title of a post. */
  title(id: string): Promise<unknown>
}

export type DeliveryChanges = {
  payload?: unknown
  body?: string
  event?: string
  headers?: Record<string, string>
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
    deliver: (changes) => deliver(lake, changes),
    title: (id) => lake.client.fetch('*[_id == $id][0].title', {id}, {perspective: 'published'}),
  }
}

/** A delivery of GitHub, with the changes of a test. */
export async function deliver(
  {address}: Pick<RunningLake, 'address'>,
  {
    payload = {ref: 'refs/heads/main'},
    body = JSON.stringify(payload),
    event = 'push',
    headers,
  }: DeliveryChanges = {},
): Promise<Answer> {
  return send(address, body, {
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    ...headers,
  })
}

/** Posts a body with exactly these headers. */
export async function send(address: string, body: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${address}/webhooks/git`, {
    method: 'POST',
    body,
    headers: {'content-type': 'application/json', ...headers},
  })
  const answer: unknown = await response.json()
  assert.ok(typeof answer === 'object' && answer !== null)
  return {status: response.status, body: Object.fromEntries(Object.entries(answer))}
}
