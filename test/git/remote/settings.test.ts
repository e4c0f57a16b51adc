import {deepEqual, equal} from 'node:assert/strict'
import {chmod, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {Proposals} from '../../../git/remote/proposals.ts'
import {Remote} from '../../../git/remote/remote.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {toolText} from '../../lake/support/publisher.ts'
import {lines, trio} from '../../lake/support/remote.ts'

type Settings = readonly (readonly [key: string, value: string])[]

const REPLACED = 'https://git.example/content.git'
/** The name of the remote, for those settings that are about one. */
const NAME = 'host'

/** Settings that people have. ADDRESS stands for that of the remote. */
const MIRROR: Settings = [
  [`remote.${NAME}.fetch`, '+refs/*:refs/*'],
  [`remote.${NAME}.mirror`, 'true'],
]
const BRANCHES: Settings = [[`remote.${NAME}.fetch`, '+refs/heads/*:refs/heads/*']]
const OPTIONS: Settings = [
  ...BRANCHES,
  [`remote.${NAME}.prune`, 'true'],
  [`remote.${NAME}.pruneTags`, 'true'],
  [`remote.${NAME}.tagOpt`, '--tags'],
  [`remote.${NAME}.push`, 'refs/heads/*:refs/heads/copy/*'],
  ['fetch.prune', 'true'],
  ['fetch.pruneTags', 'true'],
  ['push.followTags', 'true'],
  ['push.gpgSign', 'true'],
  ['push.pushOption', 'ci.skip'],
  ['push.default', 'nothing'],
  ['push.recurseSubmodules', 'only'],
  ['push.useForceIfIncludes', 'true'],
  ['remote.pushDefault', 'elsewhere'],
  ['branch.main.pushRemote', 'elsewhere'],
  ['safe.bareRepository', 'explicit'],
  ['merge.renormalize', 'true'],
]
/** With a driver that keeps the own side of a file. */
const DRIVER: Settings = [
  ['merge.default', 'ours'],
  ['merge.ours.driver', 'true'],
]
const INSTEAD: Settings = [
  ['url.ADDRESS.insteadOf', REPLACED],
  [`remote.${NAME}.url`, REPLACED],
]
const PUSH_URL: Settings = [
  ...INSTEAD,
  ['url./nowhere.pushInsteadOf', REPLACED],
  [`remote.${NAME}.pushurl`, 'ADDRESS'],
]
const URL: Settings = [[`remote.${NAME}.url`, 'ADDRESS']]

/** `remote`: what GIT_REMOTE is. */
const CASES: readonly {readonly what: string; readonly remote: string; readonly settings: Settings}[] = [
  {what: 'git clone --mirror', remote: NAME, settings: [...URL, ...MIRROR]},
  {what: 'git remote add --mirror=fetch', remote: NAME, settings: [...URL, ...BRANCHES]},
  {what: 'options of fetches and pushes', remote: NAME, settings: [...URL, ...OPTIONS]},
  {what: 'a merge driver', remote: NAME, settings: [...URL, ...DRIVER]},
  {what: 'an address in place of another one', remote: NAME, settings: INSTEAD},
  {what: 'an address for pushes', remote: NAME, settings: PUSH_URL},
  {
    what: 'an address, and all of that for a name',
    remote: 'ADDRESS',
    settings: [...URL, ...MIRROR, ...OPTIONS],
  },
  {what: 'an address that another one replaces', remote: REPLACED, settings: INSTEAD},
]

/** Lets the lake, and not the people of the test, have settings while it works. */
async function withSettings(file: string, work: () => Promise<void>): Promise<void> {
  process.env.GIT_CONFIG_GLOBAL = file
  try {
    await work()
  } finally {
    delete process.env.GIT_CONFIG_GLOBAL
  }
}

/** A lake publishes, pushes, fetches, merges, and pushes a branch for a review, while others push. */
async function work(t: TestContext, gitRemote: string, settings: Settings) {
  const {signal} = new AbortController()
  const base = await temporaryFolder(t)
  const {remote, repository, person, publish, push, pusher, head, remoteHead, folder} = await trio(t, {
    ...(gitRemote !== 'ADDRESS' && {remote: gitRemote}),
  })
  const file = join(base, 'config')
  for (const setting of settings) {
    const [key, value] = setting.map((part) => part.replace('ADDRESS', remote.directory))
    await person.git('config', '--file', file, '--add', key ?? '', value ?? '')
  }
  await repository.git('tag', '--annotate', '--message', 'Before the sale', 'v1')
  await person.git('push', '--quiet', 'origin', 'main:other')
  await person.commit({'tool/b.json': toolText('b', 'theirs'), 'notes.txt': lines({2: 'theirs'})})
  await person.git('push', '--quiet')
  const ours = await publish({'tool/a.json': toolText('a', 'ours')})
  await repository.commit({'notes.txt': lines({8: 'ours'})})

  // The push is refused, so the lake fetches, merges and pushes again.
  await withSettings(file, async () => {
    await push()
  })
  equal(await remoteHead(), await head())
  const contains = (commit: string) => repository.git('merge-base', '--is-ancestor', commit, 'main')
  await contains(ours.commit)
  equal(await repository.git('show', 'main:notes.txt'), lines({2: 'theirs', 8: 'ours'}))

  // A publish that arrives while a push runs.
  const sent = await publish({'tool/a.json': toolText('a', 'sent')})
  const args = ['main^{tree}', '-p', sent.commit, '-m', 'Published during the push\n\nReview: x']
  const during = (await repository.git('commit-tree', ...args)).trim()
  const hook = join(remote.directory, 'hooks/update')
  await remote.write(
    'hooks/update',
    `#!/bin/sh\necho ${during} > '${repository.directory}/refs/heads/main'\n`,
  )
  await chmod(hook, 0o755)
  await withSettings(file, async () => {
    await push()
  })
  equal(await head(), during)
  equal(await remoteHead(), sent.commit)
  await rm(hook)

  await person.git('pull', '--quiet', '--rebase')
  const theirs = await person.commit({'tool/c.json': toolText('c', 'theirs')})
  await person.git('push', '--quiet')
  await withSettings(file, async () => {
    await pusher.pull()
    await push()
    const to = new Remote(folder, gitRemote.replace('ADDRESS', remote.directory), {timeout: 10_000, signal})
    equal(await new Proposals(folder, 'Review').push(to, 'review/x', during), true)
  })
  for (const commit of [during, theirs]) await contains(commit)
  equal(await remoteHead(), await head())

  const refs = async ({git}: typeof remote) =>
    (await git('for-each-ref', '--format=%(refname)'))
      .replace(/(-known\/)\w+/, '$1…')
      .trim()
      .split('\n')
  deepEqual(await refs(repository), [
    'refs/handrail-known/…',
    'refs/handrail/main',
    'refs/heads/main',
    'refs/tags/v1',
  ])
  deepEqual(await refs(remote), ['refs/heads/main', 'refs/heads/other', 'refs/heads/review/x'])
}

for (const {what, remote, settings} of CASES) {
  test(`the lake changes no ref but its own, and loses nothing, with ${what}`, (t) =>
    work(t, remote, settings))
}
