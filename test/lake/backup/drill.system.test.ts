import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {LakeProcess} from '../../soak/process.ts'
import {eventually} from '../../support/eventually.ts'
import {token} from '../support/app.ts'
import {createRepository, temporaryFolder, testRepository} from '../support/git.ts'
import {act, documentAt, mutate} from '../support/mutate.ts'

const main = fileURLToPath(new URL('../../../lake/main.ts', import.meta.url))
const run = promisify(execFile)

const NOTES = 4

/** What the lake has acknowledged of a note: the last count that was typed or published. */
type Acknowledged = {typed: number; published: number}

const type = (address: string, id: string, count: number) =>
  mutate(address, [{createOrReplace: {_id: `drafts.${id}`, _type: 'note', name: id, count}}])

const publish = (address: string, id: string) =>
  act(address, [{actionType: 'sanity.action.document.publish', draftId: `drafts.${id}`, publishedId: id}])

/** An editor who types and publishes until the lake is gone. */
async function edit(address: string, name: string, notes: Map<string, Acknowledged>): Promise<void> {
  for (let count = 1; ; count += 1) {
    const id = `${name}-${count % NOTES}`
    const note = notes.get(id) ?? {typed: 0, published: 0}
    notes.set(id, note)
    const typed = await type(address, id, count).catch(() => undefined)
    if (typed === undefined) return
    assert.equal(typed.status, 200, typed.text)
    note.typed = count
    if (count % 3 !== 0) continue
    const published = await publish(address, id).catch(() => undefined)
    if (published === undefined) return
    assert.equal(published.status, 200, published.text)
    note.published = count
  }
}

async function countOf(address: string, id: string): Promise<number> {
  return Number((await documentAt(address, id))?.count ?? 0)
}

test('after a backup while editors work, a kill and the loss of the disk, a restore has all that was acknowledged', async (t) => {
  const folder = await temporaryFolder(t)
  const contentDir = join(folder, 'content.git')
  const remote = testRepository(join(folder, 'remote.git'))
  for (const directory of [contentDir, remote.directory]) await createRepository(directory)
  const env = {CONTENT_DIR: contentDir, GIT_REMOTE: remote.directory, LAKE_API_TOKEN: token}
  const command = async (...words: string[]) =>
    (await run(process.execPath, [main, ...words], {env: {...process.env, ...env}})).stdout
  const start = () => {
    const lake = new LakeProcess(env)
    t.after(() => lake.kill(true))
    return lake
  }

  const lake = start()
  const address = await lake.address
  await type(address, 'late', 1)
  const notes = new Map<string, Acknowledged>()
  const editing = Promise.all(['ada', 'bob'].map((name) => edit(address, name, notes)))
  await eventually(() => Array.from(notes.values()).filter(({published}) => published > 0).length, 2 * NOTES)
  const before = structuredClone(notes)
  await command('backup', '--to', join(folder, 'backups'))
  await type(address, 'late', 2)
  await publish(address, 'late')
  await eventually(() => remote.git('show', 'main:note/late.json').catch(() => ''), /"count": 2/)
  await lake.kill(true)
  await editing
  await rm(contentDir, {recursive: true})

  await command('restore', '--from', join(folder, 'backups'))
  const next = await start().address
  for (const [id, {typed, published}] of before) {
    const now = {draft: await countOf(next, `drafts.${id}`), published: await countOf(next, id)}
    assert.ok(now.published >= published, `${id}: ${JSON.stringify({published, now})}`)
    assert.ok(Math.max(now.draft, now.published) >= typed, `${id}: ${JSON.stringify({typed, now})}`)
  }
  assert.equal((await publish(next, 'late')).status, 409, 'it would undo what was published since')
})
