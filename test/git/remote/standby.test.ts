import {deepEqual, equal, match, rejects} from 'node:assert/strict'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import fc from 'fast-check'
import {Remote} from '../../../git/remote/remote.ts'
import {LakeRole} from '../../../git/remote/role.ts'
import {announcePromotion} from '../../../git/remote/standby.ts'
import {temporaryRepository} from '../../lake/support/git.ts'
import {recordingLogger} from '../../lake/support/log.ts'
import {toolText} from '../../lake/support/publisher.ts'
import {trio, until} from '../../lake/support/remote.ts'
import {eventually} from '../../support/eventually.ts'

/** A trio whose lake has a role, and which another lake may replace. */
async function trioWithRole(t: TestContext, isStandby = false) {
  const role = {
    id: 'this',
    isStandby,
    isUnclaimed: false,
    async replace() {
      role.isStandby = true
    },
    async claimed() {
      role.isUnclaimed = false
    },
  }
  const found = await trio(t, {role})
  const {person, remote} = found
  const {signal} = new AbortController()
  const promote = (id: string) =>
    announcePromotion(
      {root: person.directory},
      new Remote({root: person.directory}, remote.directory, {timeout: 10_000, signal}),
      'refs/heads/main',
      id,
    )
  return {...found, role, promote}
}

test('the next push of a lake that another one has replaced is refused, and it follows the remote from then on', async (t) => {
  const {publish, push, pusher, promote, role, repository, remoteHead, head, log} = await trioWithRole(t)
  await push()
  await promote('other')
  const promoted = await remoteHead()
  const {commit} = await publish({'tool/a.json': toolText('a', 'not pushed')})
  await push()
  equal(role.isStandby, true)
  deepEqual([await remoteHead(), await head()], [promoted, promoted])
  const kept = `not-pushed/${commit.slice(0, 12)}`
  equal((await repository.git('rev-parse', kept)).trim(), commit)
  equal(log.find(({branch}) => branch === kept)?.commit, commit)

  await publish({'tool/a.json': toolText('a', 'not accepted')})
  pusher.published()
  equal((await pusher.pull()).state, 'ok')
  deepEqual([await remoteHead(), await head()], [promoted, promoted])
})

test('a lake that fetches the promotion of another one stops, too, and a promotion of its own changes nothing', async (t) => {
  const {push, pusher, promote, role, remoteHead, head} = await trioWithRole(t)
  await push()
  await promote('other')
  await promote('this')
  await pusher.pull()
  await until(pusher, 'ok')
  deepEqual([role.isStandby, await head()], [false, await remoteHead()])
  await promote('other')
  await pusher.pull()
  deepEqual([role.isStandby, await head()], [true, await remoteHead()])
})

test('a lake that was promoted without the remote claims it at the next push, unless another one did', async (t) => {
  const {publish, push, pusher, promote, role, remote, remoteHead, head} = await trioWithRole(t)
  role.isUnclaimed = true
  await publish({'tool/a.json': toolText('a', 'while the remote was away')})
  await push()
  deepEqual([role.isUnclaimed, role.isStandby, await head()], [false, false, await remoteHead()])
  match(await remote.git('tag'), /^handrail-primary\/this$/m)
  match(await remote.git('log', '--format=%s', 'main'), /^Promote a standby$/m)

  role.isUnclaimed = true
  await promote('other')
  await pusher.pull()
  deepEqual([role.isStandby, await head()], [true, await remoteHead()])
})

const TRAILER = 'Handrail-Primary'

test('only what a lake writes promotes one: not the text of a commit, whatever its author', async (t) => {
  const {push, pusher, person, role, head, remoteHead, publish, remote, log} = await trioWithRole(t)
  await push()
  const commit = (message: string, ...options: string[]) =>
    person.git('commit', '--quiet', '--allow-empty', '-m', message, ...options)
  const asHandrail = ['--author', 'Handrail <handrail@localhost>']
  await commit(`Correct a typo (#12)\n\n* a better text\n\n${TRAILER}: thanks to Grace`)
  await commit(`Promote a standby\n\n${TRAILER}: other`, ...asHandrail)
  await person.git('config', 'user.name', 'Handrail')
  await person.git('config', 'user.email', 'handrail@localhost')
  await commit(`Promote a standby\n\n${TRAILER}: other`)
  await person.git('push', '--quiet', 'origin', 'main')
  await pusher.pull()
  await until(pusher, 'ok')
  deepEqual([role.isStandby, await head()], [false, await remoteHead()])
  equal(log.filter(({msg}) => /ignored commits that name a primary/.test(String(msg))).length, 1)
  const {commit: published} = await publish({'tool/a.json': toolText('a', 'still the primary')})
  await push()
  equal(await remoteHead(), published)
  equal(await remote.git('tag'), '')
})

test('no commits of others promote a lake, whatever their author, parents, message and files are', async (t) => {
  const {push, pusher, person, role, head, remoteHead} = await trioWithRole(t)
  await push()
  const name = fc.constantFrom('Handrail', 'Eve')
  const email = fc.constantFrom('handrail@localhost', 'eve@example.com')
  const id = fc.constantFrom('other', '../x', '7f0c3c3e-0b7e-4b53-9d1f-0f6f6e8c1a11', '')
  const odd = fc.record({
    author: fc.record({name, email}),
    committer: fc.record({name, email}),
    subject: fc.constantFrom('Promote a standby', 'Correct a typo'),
    trailers: fc.array(fc.tuple(fc.constantFrom(TRAILER, TRAILER.toLowerCase(), ` ${TRAILER}`), id), {
      maxLength: 3,
    }),
    isMerge: fc.boolean(),
  })
  let commit = (await person.git('rev-parse', 'HEAD')).trim()
  const tree = (await person.git('rev-parse', 'HEAD^{tree}')).trim()
  for (const {author, committer, subject, trailers, isMerge} of fc.sample(odd, {
    numRuns: 15,
    seed: 20_261_127,
  })) {
    const lines = trailers.map(([key, value]) => `${key}: ${value}`).join('\n')
    const side = (await person.git('commit-tree', tree, '-p', commit, '-m', 'Side')).trim()
    await person.git('config', 'user.name', committer.name)
    await person.git('config', 'user.email', committer.email)
    const parents = isMerge ? ['-p', commit, '-p', side] : ['-p', commit]
    const args = ['commit-tree', tree, ...parents, '-m', `${subject}\n\n${lines}`]
    const made = (await person.git(...args)).trim()
    const raw = await person.git('cat-file', 'commit', made)
    // Git takes the author of `commit-tree` from its environment only.
    await writeFile(
      join(person.directory, 'odd'),
      raw.replace(/^author .* <.*>/m, `author ${author.name} <${author.email}>`),
    )
    commit = (await person.git('hash-object', '-t', 'commit', '-w', 'odd')).trim()
  }
  await person.git('push', '--quiet', 'origin', `${commit}:main`)
  await pusher.pull()
  await until(pusher, 'ok')
  deepEqual([role.isStandby, await head(), await remoteHead()], [false, commit, commit])
})

test('words about a promotion after the real one do not hide it', async (t) => {
  const {push, pusher, person, promote, role} = await trioWithRole(t)
  await push()
  await promote('other')
  await person.git('pull', '--quiet', 'origin', 'main')
  const message = `Tell what happened\n\n${TRAILER}: this was promoted at 3 am\n\nIt took a minute.`
  await person.git('commit', '--quiet', '--allow-empty', '-m', message)
  await person.git('push', '--quiet', 'origin', 'main')
  await pusher.pull()
  equal(role.isStandby, true)
})

test('a standby follows the remote, also after a force push, and pushes nothing', async (t) => {
  const {publish, pusher, person, repository, remoteHead, head, log} = await trioWithRole(t, true)
  const first = await head()
  await person.commit({'tool/a.json': toolText('a', 'second')})
  await person.git('push', '--quiet', 'origin', 'main')
  equal((await pusher.pull()).state, 'ok')
  equal(await head(), await remoteHead())
  await person.git('reset', '--quiet', '--hard', first)
  await person.commit({'tool/a.json': toolText('a', 'another second')})
  await person.git('push', '--quiet', '--force', 'origin', 'main')
  await pusher.pull()
  equal(await head(), await remoteHead())
  equal(await repository.git('branch', '--list', 'not-pushed/*'), '', 'the remote had these commits')

  await publish({'tool/a.json': toolText('a', 'by hand')})
  pusher.published()
  await pusher.pull()
  equal(await head(), await remoteHead())
  match(await repository.git('branch', '--list', 'not-pushed/*'), /not-pushed/)
  equal(log.filter(({state}) => state === 'failing').length, 0)
})

test('a promotion is announced while others push, and not without the branch', async (t) => {
  const {person, remote, promote} = await trioWithRole(t)
  await Promise.all([promote('one'), promote('two')])
  const {signal} = new AbortController()
  const options = {timeout: 10_000, signal}
  const to = new Remote({root: person.directory}, remote.directory, options)
  await rejects(
    announcePromotion({root: person.directory}, to, 'refs/heads/other', 'x'),
    /does not have the branch/,
  )
  equal((await remote.git('log', '--format=%s', 'main')).match(/Promote a standby/g)?.length, 2)
})

test('the role of a lake is kept over restarts, until it is promoted', async (t) => {
  const {directory} = await temporaryRepository(t)
  const {logger, warnings} = recordingLogger()
  const open = (follows: boolean) => LakeRole.open(directory, {follows, logger})
  const ordinary = await open(false)
  deepEqual([ordinary.isStandby, ordinary.isReplaced, ordinary.id], [false, false, undefined])
  const standby = await open(true)
  deepEqual([standby.isStandby, standby.isReplaced], [true, false])
  const forgotten = await open(false)
  deepEqual([forgotten.isStandby, forgotten.isReplaced, forgotten.id], [true, true, standby.id])
  await forgotten.promote(false)
  const primary = await open(true)
  deepEqual([primary.isStandby, primary.id], [false, standby.id])
  match(warnings.at(-1)?.msg ?? '', /LAKE_FOLLOW has no effect/)
  await primary.replace()
  match(warnings.at(-1)?.msg ?? '', /another lake was promoted/)
  deepEqual([(await open(true)).isReplaced, (await open(false)).isReplaced], [false, true])
  await writeFile(join(directory, 'handrail/role.json'), '{')
  await rejects(open(false), /role\.json in the content repository is damaged: delete it if/)
})

test('a running standby notices that a command has promoted it', async (t) => {
  const {directory} = await temporaryRepository(t)
  const {logger} = recordingLogger()
  const role = await LakeRole.open(directory, {follows: true, logger, checkEvery: 10})
  t.after(() => role.close())
  let promoted = 0
  role.watch(() => {
    promoted += 1
  })
  await (await LakeRole.open(directory, {follows: false, logger})).promote(false)
  await eventually(
    async () => promoted,
    (count) => count > 0,
  )
  deepEqual([role.isStandby, promoted], [false, 1])
})
