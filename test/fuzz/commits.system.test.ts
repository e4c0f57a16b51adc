import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {LAYOUT} from '../../cli/layout.ts'
import {ContentRepository} from '../../content/repository.ts'
import {type GitObject, gitObject, LooseObjectWriter} from '../../git/objects/looseObjects.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import {runLake} from '../lake/support/lake.ts'
import {recordingLogger} from '../lake/support/log.ts'
import {IS_DEEP} from '../runner/runs.ts'
import {eventually} from '../support/eventually.ts'
import {type OddCommit, type OddEntry, type OddTarget, oddCommit} from './generators/commits.ts'

/** A run takes about a second. */
const RUNS = IS_DEEP ? 100 : 12

// A person who may push can push any object. `SEED=…` replays a failure.
test('no commit stops a lake: it is served, or a problem is named, and the next good one is served', async (t) => {
  const kept = {_id: 'kept', _type: 'post'}
  const {address, client, repository} = await runLake(t, {'post/kept.json': kept})
  const {git, directory} = repository
  await git('config', 'gc.auto', '0')
  const objects = new LooseObjectWriter(directory)
  const good = (await git('rev-parse', 'HEAD^{tree}')).trim()
  const readiness = async (): Promise<Record<string, unknown>> => {
    const body: unknown = await (await fetch(`${address}/readyz`)).json()
    assert.ok(typeof body === 'object' && body !== null)
    return Object.fromEntries(Object.entries(body))
  }
  let head = (await git('rev-parse', 'HEAD')).trim()
  const moveTo = async (commit: string) => {
    await git('update-ref', 'refs/heads/main', commit)
    head = commit
  }

  const deadline = performance.now() + (IS_DEEP ? 30 : 2) * 60_000
  const property = fc.asyncProperty(oddCommit, async (odd) => {
    // An interruption by fast-check would leave what the run has started.
    if (performance.now() > deadline) return
    const {commit, written} = build(odd, head)
    await objects.write(written)
    // What Git checks of a push.
    const accepts = await git('rev-list', '--objects', '--quiet', commit, '--not', '--all').then(
      () => true,
      () => false,
    )
    if (!accepts) return
    await moveTo(commit)
    const told = await eventually(
      readiness,
      ({commit: served, problems}) =>
        served === commit || /CONTENT_UNREADABLE/.test(JSON.stringify(problems)),
    )
    assert.equal((await fetch(`${address}/healthz`)).status, 200)

    // A new lake does the same.
    const {logger} = recordingLogger()
    const fresh = new ContentRepository(await openContentDirectory(directory), LAYOUT, logger)
    if (told.commit === commit) await fresh.refreshFirst()
    else await assert.rejects(fresh.refreshFirst(), /The content repository cannot be read/)

    const next = (await git('commit-tree', good, '-p', commit, '-m', 'Good again')).trim()
    await moveTo(next)
    await eventually(readiness, (found) => found.commit === next && found.status === 'ready')
    assert.deepEqual(await client.fetch('*._id'), ['kept'])
  })
  const {SEED: seed} = process.env
  await fc.assert(property, {
    numRuns: RUNS,
    seed: seed === undefined ? 20_261_125 : Number(seed),
    // The repository of a run is that of the one before it.
    endOnFailure: true,
  })
})

/** The objects of a commit on top of another one. */
function build(odd: OddCommit, parent: string): {commit: string; written: readonly GitObject[]} {
  const written: GitObject[] = []
  const add = (type: 'blob' | 'tree' | 'commit', body: Buffer) => {
    const object = gitObject('sha1', type, [body])
    written.push(object)
    return object.id
  }
  const idOf = (target: OddTarget): string => {
    if (target === 'missing') return 'ab'.repeat(20)
    if ('blob' in target) return add('blob', target.blob)
    if ('tree' in target) return treeOf(target.tree)
    let id = add('blob', Buffer.from('deep'))
    for (let level = 0; level < target.depth; level += 1) {
      id = add('tree', line(level === 0 ? '100644' : '40000', Buffer.from('d'), id))
    }
    return id
  }
  const treeOf = (entries: readonly OddEntry[]): string =>
    add('tree', Buffer.concat(entries.map(({mode, name, target}) => line(mode, name, idOf(target)))))
  const parents = {one: [parent], none: [], twice: [parent, parent]}[odd.parents]
  const body = [
    Buffer.from(`tree ${treeOf(odd.entries)}\n${parents.map((id) => `parent ${id}\n`).join('')}author `),
    odd.author,
    Buffer.from('\ncommitter '),
    odd.committer,
    Buffer.from(`\n${odd.headers.map((header) => `${header}\n`).join('')}\n`),
    odd.message,
  ]
  return {commit: add('commit', Buffer.concat(body)), written}
}

function line(mode: string, name: Buffer, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(id, 'hex')])
}
