import assert from 'node:assert/strict'
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import fc from 'fast-check'
import {runBackupCommand} from '../../../lake/commands/backup.ts'
import {IS_DEEP} from '../../runner/runs.ts'
import {eventually} from '../../support/eventually.ts'
import {temporaryFolder, testRepository} from '../support/git.ts'
import type {RunningLake} from '../support/lake.ts'
import {deliver, secret} from '../webhooks/support.ts'
import {runReviewLake, toolOn} from '../write/reviews/reviewLake.ts'
import {add, discard, edit, release, review, unpublish} from './releaseActions.ts'

const TOOLS = ['free-tool', 'all-tool', 'new-tool']
const HOUR = 3_600_000

const name = fc.constantFrom('rA', 'rB')
const who = fc.constantFrom('author', 'writer', 'publisher', 'publisher', 'administrator', 'program')

type Action = {
  readonly actionType: string
  readonly ahead?: number
  readonly document?: object
  readonly patch?: object
}
type Step =
  | {readonly by: string; readonly actions: readonly Action[]}
  | {readonly clock: number}
  | 'push'
  | 'merge'
  | 'restart'
  | 'backup'
  | 'restore'

const acts = <T>(make: (verb: string, releaseId: string) => T, ...verbs: string[]) =>
  fc.tuple(fc.constantFrom(...verbs), name).map(([verb, releaseId]) => make(verb, releaseId))
const onTool = <T>(make: (id: string, releaseId: string) => T) =>
  fc.tuple(fc.constantFrom(...TOOLS), name).map(([id, releaseId]) => make(id, releaseId))
const added = onTool((id, releaseId) => add(id, id === 'all-tool' ? 'all' : 'free', {}, releaseId))

/** What each round begins with. */
const first = fc.uniqueArray(added, {minLength: 2, selector: ({versionId}) => versionId}).map(
  (versions): Step => ({
    by: 'author',
    actions: [release('create', 'rA'), release('create', 'rB'), ...versions],
  }),
)

/** What several of are one transaction. Publishing is one of its own, so that what is in the release is known before. */
const action: fc.Arbitrary<Action> = fc.oneof(
  acts(release, 'create', 'unschedule', 'archive', 'unarchive', 'unarchive', 'delete'),
  {weight: 2, arbitrary: added},
  {weight: 2, arbitrary: onTool((id, releaseId) => edit(id, releaseId))},
  onTool(unpublish),
  onTool(discard),
  {weight: 3, arbitrary: acts(review, 'request', 'request', 'request', 'comment', 'sendBack', 'withdraw')},
  {
    weight: 5,
    arbitrary: fc
      .tuple(acts(release, 'schedule'), fc.integer({min: -5, max: HOUR}))
      .map(([one, ahead]) => ({...one, ahead})),
  },
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(who, fc.array(action, {minLength: 1, maxLength: 2}))
      .map(([by, actions]) => ({by, actions})),
  },
  {weight: 5, arbitrary: fc.tuple(who, acts(release, 'publish')).map(([by, one]) => ({by, actions: [one]}))},
  {weight: 4, arbitrary: fc.constantFrom(-48, -1, 1, 1, 48).map((hours) => ({clock: hours * HOUR}))},
  {
    weight: 7,
    arbitrary: fc.constantFrom<Step>('push', 'merge', 'merge', 'merge', 'restart', 'backup', 'restore'),
  },
)

/** Times are relative to now, because rounds are repeated, and names tell what was published from all else. */
const filled = (actions: readonly Action[], round: number) =>
  actions.map(({ahead, document, patch, ...one}, index) => ({
    ...one,
    ...(ahead !== undefined && {publishAt: new Date(Date.now() + ahead).toISOString()}),
    ...(document !== undefined && {document: {...document, name: `v${round}-${index}`}}),
    ...(patch !== undefined && {patch: {set: {name: `v${round}-${index}`}}}),
  }))

type Seen = {
  releases: {name: string; state: string; publishAt: string | null}[]
  versions: {_id: string; name: string; isGone: boolean}[]
  published: {_id: string; name: string}[]
}

const look = ({client}: RunningLake) =>
  client.fetch<Seen>(
    `{
      "releases": *[_type == "system.release"]{name, state, publishAt},
      "versions": *[_id in path("versions.**")]{_id, name, "isGone": _system.delete == true},
      "published": *[_id in $tools]{_id, name}
    }`,
    {tools: TOOLS},
    {perspective: 'raw'},
  )

/** No document is half published, and none is lost. @param mayRemove whether somebody was allowed to take versions away */
function checkStep(before: Seen, after: Seen, mayRemove: boolean): void {
  const isPublished = ({_id, name, isGone}: Seen['versions'][number]) =>
    after.published.find((one) => one._id === _id.split('.')[2])?.name === (isGone ? undefined : name)
  for (const {name, state} of after.releases) {
    const own = before.versions.filter(({_id}) => _id.startsWith(`versions.${name}.`))
    const was = before.releases.find((one) => one.name === name)?.state
    if (state === 'published' && was !== state && was !== undefined)
      assert.ok(own.every(isPublished), `${name} is published in part: ${JSON.stringify({own, after})}`)
    if (state === 'published' || state === 'archived')
      assert.ok(!after.versions.some(({_id}) => _id.startsWith(`versions.${name}.`)), `${name} has versions`)
  }
  const lost = before.versions.filter(({_id}) => !after.versions.some((one) => one._id === _id))
  assert.ok(mayRemove || lost.every(isPublished), `lost: ${JSON.stringify(lost)}`)
}

/** The lake and its remote in one round, and what a person does to the remote. */
async function runRound(t: TestContext) {
  const folder = await temporaryFolder(t)
  const [remote, person] = ['content.git', 'clone'].map((name) => testRepository(join(folder, name)))
  assert.ok(remote !== undefined && person !== undefined)
  let moved = 0
  let backup: string | undefined
  const {repository, restart, ...running} = await runReviewLake(t, async ({git, directory}) => {
    await git('clone', '--quiet', '--bare', directory, remote.directory)
    await git('clone', '--quiet', remote.directory, person.directory)
    const clock = {now: () => Date.now() + moved, monotonic: () => performance.now() + moved}
    return {gitRemote: remote.directory, gitWebhookSecrets: [secret], reviewBranches: true, clock}
  })
  let {lake, people} = running
  const command = async (...words: string[]) =>
    runBackupCommand(words, {contentDir: repository.directory, gitRemote: remote.directory})
  const isDue = ({releases}: Seen) =>
    releases.some(
      ({state, publishAt}) => state === 'scheduled' && Date.parse(`${publishAt}`) <= Date.now() + moved,
    )
  const settled = () =>
    eventually(
      () => look(lake),
      (seen) => !isDue(seen),
    )
  const merge = async () => {
    await setTimeout(100) // until the branch is pushed
    await person.git('fetch', '--quiet', '--prune')
    await person.git('reset', '--quiet', '--hard', 'origin/main')
    const listed = await person.git('branch', '--remotes', '--list', 'origin/review/*')
    const [branch = ''] = listed.trim().split(/\s+/)
    const merges = branch === '' ? Promise.resolve() : person.git('merge', '--quiet', '--no-edit', branch)
    // What conflicts is left to a person.
    await merges.then(() => person.git('push', '--quiet')).catch(() => {})
    await eventually(
      () => deliver(lake),
      ({body}) => body.result !== 'pulling',
    )
  }
  return {
    repository,
    settled,
    see: () => look(lake),
    close: () => lake.close(),
    /** Does one step, and returns whether it may take versions away. */
    async act(one: Step, round: number): Promise<boolean> {
      if (one === 'restart') ({lake, people} = await restart())
      else if (one === 'backup') backup = (await command('backup', '--to', join(folder, 'backups')))?.slice(6)
      else if (one === 'restore' && backup !== undefined) {
        const from = backup
        ;({lake, people} = await restart(async () => {
          await rm(repository.directory, {recursive: true})
          await command('restore', '--from', from)
        }))
        return true
      } else if (one === 'merge') await merge()
      else if (one === 'push')
        await repository.commit({
          'tool/free-tool.json': {_id: 'free-tool', ...toolOn('free', {name: `p${round}`})},
        })
      else if (typeof one === 'object' && 'clock' in one) {
        moved += one.clock
        await settled()
      } else if (typeof one === 'object') {
        const person = Object.entries(people).find(([name]) => name === one.by)?.[1]
        const {status, text} = (await person?.actions(...filled(one.actions, round))) ?? {status: 0, text: ''}
        assert.ok([200, 400, 403, 404, 409].includes(status), text)
        return status === 200 && one.actions.some(({actionType}) => /archive|discard|delete/.test(actionType))
      }
      return false
    },
  }
}

const FORMAT = ['Release', 'Attempt', 'Document', 'Reviewed-by']
  .map((key) => `%(trailers:key=${key},valueonly,separator=%x2C)`)
  .join('|')

test('random actions on releases publish all documents of a release or none, once, and by somebody who may', async (t) => {
  await fc.assert(
    fc.asyncProperty(first, fc.array(step, {minLength: 6, maxLength: 16}), async (...[begin, others]) => {
      const steps = [begin, ...others]
      const {repository, settled, see, act, close} = await runRound(t)
      const {git} = repository
      try {
        let before = await see()
        for (const [round, one] of steps.entries()) {
          const mayRemove = await act(one, round)
          const after = await see()
          if (one !== 'restore') checkStep(before, after, mayRemove)
          before = after
        }
        checkStep(before, await settled(), false)
        const published = new Set<string>()
        for (const line of (await git('log', `--format=%H|%an|${FORMAT}`)).trim().split('\n')) {
          const [commit = '', by = '', of, attempt, documents = '', reviewer] = line.split('|')
          // What a person merged is the business of the Git host.
          if (of === '' || attempt === '') continue
          assert.doesNotMatch(by, /^author/, line)
          if (documents.includes('all-tool')) assert.notEqual(reviewer, '', `no review: ${line}`)
          const diff = await git('show', '--format=', '--unified=0', commit)
          const names = `${of} ${diff.match(/^\+.*"name": "v.*/gm)}`
          assert.ok(names.endsWith('null') || !published.has(names), `published twice: ${names}`)
          published.add(names)
        }
        assert.equal((await git('fsck', '--strict', '--no-dangling')).trim(), '')
      } finally {
        await close()
      }
    }),
    {numRuns: IS_DEEP ? 300 : 8},
  )
})
