import assert from 'node:assert/strict'
import {mkdir, rename, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {IS_DEEP} from '../../runner/runs.ts'
import {LakeProcess, token} from '../../soak/process.ts'
import {Random} from '../../soak/random.ts'
import {eventually} from '../../support/eventually.ts'
import {smallDisk} from '../../support/smallDisk.ts'
import {testRepository} from '../support/git.ts'
import {accountsIn, signInByLink, stateFolderOf} from '../support/signIn.ts'
import {type Outcome, person, toolOn} from '../write/reviews/reviewLake.ts'
import {discard, edit, release, review} from './releaseActions.ts'

/** Histories, and actions in each of them. */
const HISTORIES = IS_DEEP ? 300 : 4
const LEAST = 8
const MOST = 16

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Statuses of a lake that works, or says why it does not: by a full disk, or because the lake is killed. */
const EXPECTED = new Set([200, 400, 403, 404, 409, 503, 507, 0])

/** What people do to tools: of a site where everybody publishes, and of one that asks for reviews. */
const TOOLS: readonly (readonly [id: string, site: string])[] = [
  ['free-tool', 'free'],
  ['new-tool', 'free'],
  ['all-tool', 'all'],
]

const PEOPLE = ['author', 'writer', 'publisher'] as const
type Name = (typeof PEOPLE)[number]

/** A lake in a process on a small disk, with a remote, a developer with a clone, and a clock that others set. */
class World {
  readonly #disk: Awaited<ReturnType<typeof smallDisk>>
  readonly #clockFile: string
  readonly repository: ReturnType<typeof testRepository>
  readonly #remote: ReturnType<typeof testRepository>
  readonly #clone: ReturnType<typeof testRepository>
  #lake: LakeProcess | undefined
  readonly #people = new Map<Name, ReturnType<typeof person>>()
  #ids = new Map<Name, string>()
  #passed = 0
  #set = 0
  #isFull = false
  #isLost = false
  #commits = 0

  constructor(disk: Awaited<ReturnType<typeof smallDisk>>, folder: string) {
    this.#disk = disk
    this.#clockFile = join(folder, 'clock')
    this.repository = testRepository(join(disk.folder, 'content.git'))
    this.#remote = testRepository(join(folder, 'remote.git'))
    this.#clone = testRepository(join(folder, 'clone'))
  }

  async begin(): Promise<void> {
    for (const {directory} of [this.#remote, this.#clone]) await mkdir(directory)
    await this.#remote.git('init', '--quiet', '--bare', '--initial-branch=main')
    await this.#clone.git('clone', '--quiet', this.#remote.directory, '.')
    const site = (id: string, rest: object) => ({
      _id: id,
      _type: 'site',
      name: id,
      publicId: `${id}-id`,
      ...rest,
    })
    const files = {
      'site/free.json': site('free', {}),
      'site/all.json': site('all', {review: 'all'}),
      'tool/free-tool.json': {_id: 'free-tool', ...toolOn('free')},
      'tool/all-tool.json': {_id: 'all-tool', ...toolOn('all')},
    }
    for (const [path, document] of Object.entries(files)) await this.#write(path, document)
    await this.#clone.git('push', '--quiet', 'origin', 'HEAD:main')
    await this.#clone.git('clone', '--quiet', '--bare', this.#remote.directory, this.repository.directory)
    await this.#setClock()
    const accounts = accountsIn(stateFolderOf(this.repository))
    for (const name of PEOPLE) {
      const rights = everywhere(name === 'author' ? 'author' : 'publisher')
      const {id} = await accounts.addEditor({name: `${name} Name`, email: `${name}@example.com`, rights})
      this.#ids.set(name, id)
    }
    await this.start()
  }

  async start(): Promise<void> {
    this.#lake = new LakeProcess({
      CONTENT_DIR: this.repository.directory,
      GIT_REMOTE: this.#remote.directory,
      FETCH_SECONDS: '1',
      CLOCK_FILE: this.#clockFile,
    })
    const address = await this.#lake.address
    this.#people.clear()
    if (this.#isFull) return
    for (const name of PEOPLE) await this.#signIn(name, address)
  }

  async #signIn(name: Name, address: string): Promise<void> {
    const origin = address.replace('127.0.0.1', 'localhost')
    const lake = {address: origin, stateFolder: stateFolderOf(this.repository)}
    const cookie = await signInByLink(lake, this.#ids.get(name) ?? '')
    this.#people.set(name, person(origin, {cookie, origin}))
  }

  /** Status 0: the lake was killed. */
  async act(name: Name, ...actions: readonly object[]): Promise<Outcome> {
    const found = this.#people.get(name)
    if (found === undefined) return {status: 0, body: {}, text: 'no person can sign in'}
    return found.actions(...actions).catch(() => ({status: 0, body: {}, text: 'killed'}))
  }

  async find(query: string): Promise<Record<string, unknown>[]> {
    const address = await this.#lake?.address
    const url = `${address}/v2025-02-19/data/query/production?perspective=raw&query=${encodeURIComponent(query)}`
    const response = await fetch(url, {headers: {authorization: `Bearer ${token}`}})
    const {result} = JSON.parse(await response.text())
    return result
  }

  async kill(isWhole: boolean): Promise<void> {
    await this.#lake?.kill(isWhole)
  }

  async stop(): Promise<void> {
    await this.#lake?.stop()
  }

  async fill(): Promise<void> {
    if (!this.#isFull) await this.#disk.fill()
    this.#isFull = true
  }

  async free(): Promise<void> {
    if (this.#isFull) await this.#disk.free()
    this.#isFull = false
  }

  async lose(): Promise<void> {
    if (!this.#isLost) await rename(this.#remote.directory, `${this.#remote.directory}-lost`)
    this.#isLost = true
  }

  async recover(): Promise<void> {
    if (this.#isLost) await rename(`${this.#remote.directory}-lost`, this.#remote.directory)
    this.#isLost = false
  }

  /** Time that passes. */
  async pass(milliseconds: number): Promise<void> {
    this.#passed += milliseconds
    await this.#setClock()
  }

  /** Sets the clock: time that does not pass. */
  async step(milliseconds: number): Promise<void> {
    this.#set = milliseconds
    await this.#setClock()
  }

  get now(): number {
    return Date.now() + this.#passed + this.#set
  }

  async #setClock(): Promise<void> {
    await writeFile(`${this.#clockFile}.new`, `${this.#passed} ${this.#set}`)
    await rename(`${this.#clockFile}.new`, this.#clockFile)
  }

  async #write(path: string, document: object): Promise<void> {
    await this.#clone.commit({[path]: document})
  }

  /** A developer describes a tool, and pushes it to the remote, or to the lake. */
  async develop(isDirect: boolean): Promise<void> {
    if (this.#isLost || this.#isFull) return
    const {git} = this.#clone
    const from = isDirect ? this.repository.directory : this.#remote.directory
    await git('fetch', '--quiet', from, 'main')
    await git('reset', '--quiet', '--hard', 'FETCH_HEAD')
    const text = await git('show', 'HEAD:tool/free-tool.json').catch(() => '')
    if (text === '') return
    this.#commits += 1
    await this.#write('tool/free-tool.json', {...JSON.parse(text), description: `Commit ${this.#commits}.`})
    // Somebody else was faster.
    await git('push', '--quiet', from, 'HEAD:main').catch(() => {})
  }

  /** A person merges what the lake and a developer changed at once, as the lake has it. */
  async #merge(): Promise<void> {
    const {git} = this.#clone
    await git('fetch', '--quiet', this.repository.directory, 'main')
    await git('reset', '--quiet', '--hard', 'FETCH_HEAD')
    await git('fetch', '--quiet', this.#remote.directory, 'main')
    await git('merge', '--quiet', '--strategy=ours', '--no-edit', 'FETCH_HEAD')
    await git('push', '--quiet', this.#remote.directory, 'HEAD:main').catch(() => {})
  }

  /** Ends all troubles, and waits until everything is pushed and published. */
  async settle(): Promise<void> {
    await this.free()
    await this.recover()
    await this.step(0)
    for (const name of PEOPLE)
      if (!this.#people.has(name)) await this.#signIn(name, (await this.#lake?.address) ?? '')
    // The lake looks at the clock once a second, and waits after a step.
    await setTimeout(1_100) // see above
    await this.pass(11 * MINUTE)
    const due = () =>
      this.find(
        `*[_type == "system.release" && state == "scheduled" && publishAt <= "${new Date(this.now).toISOString()}"]`,
      )
    await eventually(async () => (await due()).length, 0)
    const heads = async () => {
      const [own, others] = await Promise.all([
        this.repository.git('rev-parse', 'refs/heads/main'),
        this.#remote.git('rev-parse', 'refs/heads/main'),
      ])
      if (own === others) return ''
      const log = JSON.stringify(this.#lake?.log.slice(-3))
      if (log.includes('PUSH_CONFLICT')) await this.#merge()
      return `${own} ${others} ${log}`
    }
    await eventually(heads, '')
  }

  get log(): string {
    return JSON.stringify(this.#lake?.log.filter(({level}) => Number(level) >= 60))
  }
}

/** One history: what people and machines do, in random order. Returns the names that were acknowledged as published. */
async function history(world: World, random: Random, number: number): Promise<Set<string>> {
  const acknowledged = new Set<string>()
  /** What the drafts of each tool are called, and the versions of the releases. */
  const names = new Map<string, string>()
  let texts = 0
  const newName = () => {
    texts += 1
    return `v${number}x${texts}`
  }
  const releases = [`r${number}a`, `r${number}b`]
  const publishedBy = ({status, text}: Outcome, ids: readonly string[]) => {
    assert.ok(EXPECTED.has(status), `${status} ${text}`)
    if (status !== 200) return
    for (const id of ids) {
      const name = names.get(id)
      if (name !== undefined) acknowledged.add(name)
      names.delete(id)
    }
  }
  const who = () => random.pick(PEOPLE)
  const tool = () => random.pick(TOOLS)
  const editDraft = async (by: Name, id: string, site: string) => {
    const name = newName()
    const draftId = `drafts.${id}`
    const create = {
      actionType: 'sanity.action.document.version.replace',
      document: {_id: draftId, ...toolOn(site, {name, description: 'By Studio.'})},
    }
    const pair = {draftId, publishedId: id}
    const change = {actionType: 'sanity.action.document.edit', ...pair, patch: {set: {name}}}
    const done = await world.act(by, id === 'new-tool' ? create : change)
    if (done.status === 200) names.set(draftId, name)
  }
  const look = async (id: string) => {
    const [found] = await world.find(`*[_type == "handrail.review" && document == "${id}"]`).catch(() => [])
    return {ifReviewed: found?.after}
  }
  const publish = async (by: Name, id: string) => {
    const draftId = `drafts.${id}`
    const [found] = await world.find(`*[_id == "${draftId}"]{_rev}`).catch(() => [])
    const expected = {ifDraftRevisionId: found?._rev, ...(await look(id))}
    const action = {actionType: 'sanity.action.document.publish', draftId, publishedId: id, ...expected}
    publishedBy(await world.act(by, action), [draftId])
  }
  const addVersion = async (by: Name, id: string, site: string, releaseId: string) => {
    const name = newName()
    const versionId = `versions.${releaseId}.${id}`
    const version = {actionType: 'sanity.action.document.version.create', publishedId: id}
    const isCopy = random.chance(0.5) && id !== 'new-tool'
    const actions = isCopy
      ? [{...version, baseId: id, versionId}, edit(id, releaseId, {name})]
      : [{...version, document: {_id: versionId, ...toolOn(site, {name})}}]
    if ((await world.act(by, ...actions)).status === 200) names.set(versionId, name)
  }
  const steps: readonly (readonly [weight: number, step: () => Promise<unknown>])[] = [
    [5, () => editDraft(who(), ...tool())],
    [5, () => publish(who(), tool()[0])],
    [
      3,
      async () => {
        const [id] = tool()
        const [draft] = await world.find(`*[_id == "drafts.${id}"]{_rev}`).catch(() => [])
        const request = {actionType: 'handrail.action.review.request', publishedId: id, text: 'Please'}
        await world.act(who(), {...request, ifDraftRevisionId: draft?._rev ?? 'none'})
      },
    ],
    [5, () => addVersion(who(), ...tool(), random.pick(releases))],
    [3, () => world.act(who(), review('request', random.pick(releases)))],
    [1, () => world.act(who(), discard(tool()[0], random.pick(releases)))],
    [
      6,
      async () => {
        const name = random.pick(releases)
        const publishAt = new Date(world.now + random.between(1, 300) * MINUTE).toISOString()
        const seen = await look(`_.releases.${name}`)
        await world.act(who(), release('schedule', name, {publishAt, ...seen}))
      },
    ],
    [1, () => world.act(who(), release('unschedule', random.pick(releases)))],
    [
      3,
      async () => {
        const name = random.pick(releases)
        const ids = TOOLS.map(([id]) => `versions.${name}.${id}`)
        const seen = await look(`_.releases.${name}`)
        publishedBy(await world.act(who(), release('publish', name, seen)), ids)
      },
    ],
    [3, () => world.develop(random.chance(0.5))],
    [4, () => world.pass(random.pick([MINUTE, HOUR, 3 * HOUR]))],
    [2, () => world.step(random.pick([-DAY, -HOUR, 2 * HOUR, 2 * DAY, 365 * DAY]))],
    [1, () => world.fill()],
    [2, () => world.free()],
    [1, () => world.lose()],
    [1, () => world.recover()],
  ]
  const weighted = steps.flatMap(([weight, step]) => Array.from({length: weight}, () => step))
  await world.act('publisher', release('create', releases[0]), release('create', releases[1]))
  await addVersion('publisher', ...tool(), releases[0] ?? '')
  const count = random.between(LEAST, MOST)
  const killedAt = random.chance(0.7) ? random.between(0, count - 1) : undefined
  for (let index = 0; index < count; index += 1) {
    const running = random.pick(weighted)()
    if (index === killedAt) {
      await setTimeout(random.next() * 30) // the moment of the kill
      await world.kill(random.chance(0.5))
      await running
      await world.free()
      await world.start()
    } else await running
  }
  await world.settle()
  return acknowledged
}

const FORMAT = ['Attempt', 'Document', 'Reviewed-by', 'Co-authored-by']
  .map((key) => `%(trailers:key=${key},valueonly,separator=%x2C)`)
  .join('|')

/** Checks the commits of a history. */
async function check({repository: {git}}: World, before: string, acknowledged: ReadonlySet<string>) {
  const range = `${before}..refs/heads/main`
  const diff = await git('log', '--format=', '--unified=0', '--patch', range)
  const published = new Set(Array.from(diff.matchAll(/^\+ {2}"name": "(v\d+x\d+)"/gm), ([, name]) => name))
  for (const name of acknowledged) assert.ok(published.has(name), `${name} is not in Git`)
  for (const line of (await git('log', '--no-merges', `--format=%H|%an|${FORMAT}`, range)).split('\n')) {
    const [commit, by = '', attempt, documents = '', reviewer = '', authors = ''] = line.split('|')
    if (attempt === undefined || attempt === '') continue
    assert.doesNotMatch(by, /^author/, `${commit} was published by an author`)
    if (!documents.includes('all-tool')) continue
    assert.match(reviewer, new RegExp(`^${by}`), `${commit} has no review`)
    assert.ok(!authors.includes(by), `${commit} was reviewed by an author of it`)
  }
}

async function worldOf(t: TestContext): Promise<World> {
  const disk = await smallDisk(t, 256)
  const {folder} = await smallDisk(t, 1_024)
  const world = new World(disk, folder)
  t.after(() => world.kill(true))
  await world.begin()
  return world
}

test('random histories lose no publish, publish nothing without its review, and leave a lake that runs', async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const world = await worldOf(t)
  const {git} = world.repository
  for (let number = 0; number < HISTORIES; number += 1) {
    const before = (await git('rev-parse', 'refs/heads/main')).trim()
    try {
      await check(world, before, await history(world, new Random(seed + number), number))
    } catch (error) {
      throw new Error(`seed ${seed}, history ${number}: ${world.log}`, {cause: error})
    }
  }
  await world.stop()
  assert.equal((await git('fsck', '--strict', '--no-dangling')).trim(), '')
})
