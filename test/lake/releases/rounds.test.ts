import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {IS_DEEP} from '../../runner/runs.ts'
import {documentAt} from '../support/mutate.ts'
import {runReviewLake, toolOn} from '../write/reviews/reviewLake.ts'

const RELEASES = ['rA', 'rB']
const TOOLS = ['free-tool', 'all-tool', 'new-tool']
const SITES: Readonly<Record<string, string>> = {'free-tool': 'free', 'all-tool': 'all', 'new-tool': 'free'}

const release = fc.constantFrom(...RELEASES)
const tool = fc.constantFrom(...TOOLS)
const who = fc.constantFrom('author', 'writer', 'publisher', 'administrator', 'program')

type Step = {readonly by: string; readonly actions: readonly object[]} | {readonly push: string} | 'restart'

const action = fc.oneof(
  fc
    .tuple(
      release,
      fc.constantFrom('create', 'publish', 'publish', 'unschedule', 'archive', 'unarchive', 'delete'),
    )
    .map(([releaseId, verb]) => ({actionType: `sanity.action.release.${verb}`, releaseId})),
  fc.tuple(release, fc.integer({min: -5, max: 400})).map(([releaseId, ahead]) => ({
    actionType: 'sanity.action.release.schedule',
    releaseId,
    ahead,
  })),
  fc.tuple(release, tool, fc.nat(3)).map(([releaseId, publishedId, name]) => ({
    actionType: 'sanity.action.document.version.create',
    publishedId,
    document: {
      _id: `versions.${releaseId}.${publishedId}`,
      ...toolOn(SITES[publishedId] ?? '', {name: `name${name}`}),
    },
  })),
  fc.tuple(release, tool).map(([releaseId, publishedId]) => ({
    actionType: 'sanity.action.document.version.unpublish',
    publishedId,
    versionId: `versions.${releaseId}.${publishedId}`,
  })),
  fc.tuple(release, tool).map(([releaseId, publishedId]) => ({
    actionType: 'sanity.action.document.version.discard',
    versionId: `versions.${releaseId}.${publishedId}`,
  })),
  release.map((releaseId) => ({
    actionType: 'handrail.action.review.request',
    publishedId: `_.releases.${releaseId}`,
    text: '',
  })),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc
      .tuple(who, fc.array(action, {minLength: 1, maxLength: 2}))
      .map(([by, actions]) => ({by, actions})),
  },
  {weight: 2, arbitrary: fc.nat(3).map((name) => ({push: `name${name}`}))},
  {weight: 1, arbitrary: fc.constant<Step>('restart')},
)

/** Times that are given relative to now, because rounds are repeated. */
const withTimes = (actions: readonly object[]) =>
  actions.map((one) =>
    'ahead' in one && typeof one.ahead === 'number'
      ? {...one, publishAt: new Date(Date.now() + one.ahead).toISOString()}
      : one,
  )

test('random actions on releases publish all documents of a release or none, once, and by somebody who may', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, {minLength: 6, maxLength: 16}), async (steps) => {
      const {repository, restart, ...first} = await runReviewLake(t)
      let {lake, people} = first
      const {git} = repository
      try {
        for (const one of steps) {
          if (one === 'restart') ({lake, people} = await restart())
          else if ('push' in one)
            await repository.commit({
              'tool/free-tool.json': {_id: 'free-tool', ...toolOn('free', {name: one.push})},
            })
          else {
            const person = Object.entries(people).find(([name]) => name === one.by)?.[1]
            const {status, text} = (await person?.actions(...withTimes(one.actions))) ?? {status: 0, text: ''}
            assert.ok([200, 400, 403, 409].includes(status), text)
          }
        }
        for (const name of RELEASES) {
          const kept = await documentAt(lake.address, `_.releases.${name}`)
          const versions: string[] = await lake.client.fetch(
            '*[sanity::partOfRelease($name)]._id',
            {name},
            {perspective: 'raw'},
          )
          assert.ok(
            versions.length === 0 || ['active', 'scheduled'].includes(String(kept?.state)),
            `${kept?.state}`,
          )
        }
        const commits = (
          await git(
            'log',
            '--format=%an|%(trailers:key=Release,valueonly,separator=%x2C)|%(trailers:key=Document,valueonly,separator=%x2C)|%(trailers:key=Reviewed-by,valueonly,separator=%x2C)',
          )
        )
          .trim()
          .split('\n')
        for (const commit of commits) {
          const [by, of, documents = '', reviewer] = commit.split('|')
          if (of === '') continue
          assert.doesNotMatch(by ?? '', /^author/, commit)
          if (documents.includes('all-tool')) assert.notEqual(reviewer, '', `no review: ${commit}`)
        }
        assert.equal((await git('fsck', '--strict', '--no-dangling')).trim(), '')
      } finally {
        await lake.close()
      }
    }),
    {numRuns: IS_DEEP ? 300 : 12},
  )
})
