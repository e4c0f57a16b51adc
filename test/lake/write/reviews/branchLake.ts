import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {eventually} from '../../../support/eventually.ts'
import {type TestRepository, temporaryFolder, testRepository} from '../../support/git.ts'
import {deliver, secret} from '../../webhooks/support.ts'
import {assertDone, runReviewLake} from './reviewLake.ts'

const HOST = 'https://github.com/handrail/content.git'
/** The id of the draft that is reviewed. */
export const DRAFT = 'drafts.all-tool'

type Review = {branch: string | null; comparePage: string | null; after: string}

/** The id of the commit or tree that a name stands for. */
export const headOf = async (repository: TestRepository, name: string) =>
  (await repository.git('rev-parse', name)).trim()

/** A lake that pushes branches to a bare repository, which it knows by its address at a Git host. */
export async function runBranchLake(t: TestContext) {
  const remote = testRepository(join(await temporaryFolder(t), 'content.git'))
  const create = async (from: TestRepository) => {
    await mkdir(remote.directory)
    await remote.git('init', '--quiet', '--bare', '--initial-branch=main')
    await from.git('push', '--quiet', remote.directory, 'main')
  }
  const running = await runReviewLake(t, async (repository) => {
    await repository.git('config', 'remote.host.url', HOST)
    await repository.git('config', `url.${remote.directory}.insteadOf`, HOST)
    await create(repository)
    // A pull may take long on a busy machine: until it ends, each delivery would start to wait for another one.
    const gitWebhookWait = 60_000
    return {gitRemote: 'host', gitWebhookSecrets: [secret], gitWebhookWait, reviewBranches: true}
  })
  const branches = async () => {
    const listed = await remote.git(
      'for-each-ref',
      '--format=%(refname:short) %(objectname)',
      'refs/heads/review/',
    )
    return listed.split('\n').filter((line) => line !== '')
  }
  const {lake, people, repository} = running
  return {
    ...running,
    remote,
    create: () => create(repository),
    /** Requests a review of a change, and returns the commit at the branch once it has this name in it. */
    async request(name: string, id = 'all-tool'): Promise<{branch: string; commit: string}> {
      const revision = await people.author.edit(id, {name})
      assertDone(await people.author.request(id, revision))
      return eventually(
        async () => {
          for (const line of await branches()) {
            const [branch = '', commit = ''] = line.split(' ')
            if ((await remote.git('show', `${commit}:tool/${id}.json`)).includes(`"${name}"`))
              return {branch, commit}
          }
          return {branch: '', commit: ''}
        },
        ({commit}) => commit !== '',
      )
    },
    branches,
    noBranch: () => eventually(branches, (list) => list.length === 0),
    review: (id = 'all-tool') =>
      lake.client.fetch<Review | null>(
        '*[_type == "handrail.review" && document == $id][0]{branch, comparePage, after}',
        {id},
        {perspective: 'raw'},
      ),
    draft: () => lake.client.getDocument(DRAFT),
    async clone(): Promise<TestRepository> {
      const person = testRepository(join(await temporaryFolder(t), 'clone'))
      await repository.git('clone', '--quiet', remote.directory, person.directory)
      return person
    },
    /** What a Git host sends after a push. */
    pull: () => deliver(lake),
  }
}
