import {equal, ok} from 'node:assert/strict'
import {chmod, rename, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {testRepository} from '../../lake/support/git.ts'
import {toolText} from '../../lake/support/publisher.ts'
import {clean, trio} from '../../lake/support/remote.ts'
import {IS_DEEP} from '../../runner/runs.ts'
import {Random} from '../../soak/random.ts'
import {eventually} from '../../support/eventually.ts'

const ROUNDS = IS_DEEP ? 100 : 6
const STEPS = 15
/** Most of a round is spent waiting. */
const AT_ONCE = IS_DEEP ? 10 : 3

/** A failure names its seed: SEED=123 runs that round alone, or with CI_DEEP=1 a hundred rounds from there. */
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED)

test('whatever happens to a remote, nothing published is lost and nothing removed comes back', async (context) => {
  const rounds = SEED === undefined || IS_DEEP ? ROUNDS : 1
  const seeds = Array.from({length: rounds}, (_, round) => (SEED ?? 0) + round)
  for (let at = 0; at < seeds.length; at += AT_ONCE) {
    const results = await Promise.allSettled(
      seeds.slice(at, at + AT_ONCE).map(async (seed) => {
        const steps: string[] = []
        try {
          await round(context, seed, steps)
        } catch (error) {
          throw new Error(`SEED=${seed}, after ${steps.join(', ')}`, {cause: error})
        }
      }),
    )
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
})

async function round(context: TestContext, seed: number, steps: string[]) {
  const numbers = new Random(seed)
  const random = (below: number) => numbers.between(0, below - 1)
  const lake = await trio(context, {pause: () => 100})
  const {pusher, repository, remote, head} = lake
  await remote.git('clone', '--quiet', '--template=', '.', '../second')
  const people = [lake.person, testRepository(join(remote.directory, '../second'))]
  const gone = `${remote.directory}.gone`
  const hook = join(remote.directory, 'hooks/pre-receive')
  /** The texts that the lake has acknowledged, by path. */
  const published = new Map<string, string>()
  /** Commits that people removed from the remote by force. */
  const removed = new Set<string>()
  let isGone = false
  let branch = 'main'
  let count = 0

  /** Waits until the lake has nothing more to do at once, and returns what it says. */
  const settle = async () => {
    await pusher.pull()
    return eventually(
      async () => pusher.state,
      ({state}) => state !== 'pending',
    )
  }

  /** What a person does in a clone that has what the remote has. */
  const asPerson = async (work: (person: (typeof people)[number]) => Promise<void>) => {
    const person = people[random(people.length)]
    if (person === undefined || isGone || branch !== 'main') return
    await person.git('fetch', '--quiet', 'origin')
    await person.git('reset', '--quiet', '--hard', 'origin/main')
    await work(person)
  }

  /** A person's change of a file that no other person changes. */
  const ownChange = () => {
    count += 1
    return {[`person/p${random(4)}-${count}.json`]: toolText('p', count)}
  }

  const force = async ({git}: (typeof people)[number]) => {
    const old = (await git('rev-parse', 'origin/main')).trim()
    const dropped = (await git('rev-list', 'origin/main', '--not', 'HEAD')).split('\n').filter(Boolean)
    // A push of the lake may come first.
    const isPushed = await git(
      'push',
      '--quiet',
      `--force-with-lease=main:${old}`,
      'origin',
      'HEAD:main',
    ).then(
      () => true,
      () => false,
    )
    if (isPushed) for (const commit of dropped) removed.add(commit)
  }

  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    publish: async () => {
      count += 1
      const path = `tool/t${random(5)}.json`
      const text = toolText(path, count)
      await lake.publish({[path]: text})
      published.set(path, text)
      pusher.published()
    },
    'publish more': async () => {
      await actions.publish?.()
      await actions.publish?.()
    },
    commit: () =>
      asPerson(async ({commit, git}) => {
        await commit(ownChange())
        await git('push', '--quiet', 'origin', 'HEAD:main').catch(() => {})
      }),
    rewind: () =>
      asPerson(async (person) => {
        const commits = Number(await person.git('rev-list', '--count', '--first-parent', 'HEAD'))
        const back = 1 + random(2)
        if (commits <= back) return
        await person.git('reset', '--quiet', '--hard', `HEAD~${back}`)
        if (random(2) === 0) await person.commit(ownChange())
        await force(person)
      }),
    squash: () =>
      asPerson(async (person) => {
        const commits = Number(await person.git('rev-list', '--count', '--first-parent', 'HEAD'))
        if (commits <= 2) return
        await person.git('reset', '--quiet', '--soft', 'HEAD~2')
        await person.commit({})
        await force(person)
      }),
    amend: () =>
      asPerson(async (person) => {
        for (const [path, text] of Object.entries(ownChange())) await person.write(path, text)
        await person.git('add', '--all')
        await person.git('commit', '--quiet', '--amend', '--message', `Amended ${count}`)
        await force(person)
      }),
    rename: async () => {
      if (isGone) return
      const other = branch === 'main' ? 'trunk' : 'main'
      await remote.git('branch', '--move', branch, other)
      branch = other
    },
    protect: async () => {
      if (isGone) return
      await remote.write('hooks/pre-receive', '#!/bin/sh\necho protected >&2\nexit 1\n')
      await chmod(hook, 0o755)
    },
    unprotect: () => rm(join(isGone ? gone : remote.directory, 'hooks/pre-receive'), {force: true}),
    'remote away or back': async () => {
      // A folder that moves during a push would keep its lock files.
      await settle()
      await (isGone ? rename(gone, remote.directory) : rename(remote.directory, gone))
      isGone = !isGone
    },
    settle,
    decide: () => decide(),
  }

  /** What a person does about a rewrite, in the content repository: follow it, or undo it. */
  const decide = async () => {
    if (isGone || (await settle()).code !== 'REMOTE_REWRITTEN') return
    if (random(2) === 0) {
      await repository.git('update-ref', 'refs/heads/main', 'refs/handrail/main')
      for (const [path, text] of published) {
        const now = await repository.git('show', `HEAD:${path}`).catch(() => undefined)
        if (now === undefined) published.delete(path)
        else if (now !== text) published.set(path, now)
      }
    } else {
      await rm(hook, {force: true})
      await repository.git('push', '--quiet', '--force', remote.directory, 'HEAD:main')
      for (const commit of removed) if (await isIn(repository.git, commit, 'HEAD')) removed.delete(commit)
    }
    await settle()
  }

  const check = async () => {
    for (const [path, text] of published) equal(await repository.git('show', `HEAD:${path}`), text, path)
    if (isGone || branch !== 'main') return
    for (const commit of removed)
      ok(!(await isIn(remote.git, commit, 'main')), `${commit} is in the remote again`)
  }

  // From now on the lake knows what the remote has.
  await settle()
  const names = Object.keys(actions)
  for (let step = 0; step < STEPS; step += 1) {
    const name = names[random(names.length)] ?? ''
    steps.push(name)
    await actions[name]?.()
    // Not after each step, so that some overlap with what the lake does.
    if (random(2) === 0) continue
    const {state} = await settle()
    await check()
    if (state === 'ok') equal((await remote.git('rev-parse', 'main')).trim(), await head())
  }

  steps.push('the end')
  if (isGone) await actions['remote away or back']?.()
  if (branch !== 'main') await actions.rename?.()
  await actions.unprotect?.()
  await decide()
  const {state, lastError} = await eventually(
    settle,
    (found) => found.state === 'ok' || found.code !== undefined,
  )
  equal(state, 'ok', lastError)
  equal((await remote.git('rev-parse', 'main')).trim(), await head())
  await check()
  await clean(repository)
  await pusher.close(1_000)
}

async function isIn(git: (...args: string[]) => Promise<string>, commit: string, revision: string) {
  return git('merge-base', '--is-ancestor', commit, revision).then(
    () => true,
    () => false,
  )
}
