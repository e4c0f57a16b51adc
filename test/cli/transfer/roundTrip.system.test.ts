import assert from 'node:assert/strict'
import {cp, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {startService} from '../../../service/service.ts'
import {readServiceSettings} from '../../../service/settings.ts'
import {projectFile} from '../../deploy/support/files.ts'
import {token} from '../../lake/support/app.ts'
import {temporaryFolder, temporaryWorkTree, testRepository} from '../../lake/support/git.ts'
import {type RunningLake, runLake, runLakeOver} from '../../lake/support/lake.ts'
import {commandsOf} from '../../support/docs/commands.ts'
import {UNCODED} from '../../support/house.ts'
import {listeningLog} from '../../support/log.ts'
import {sanityCli} from '../../support/network/sanityCli.ts'
import {content} from '../support/run.ts'

const GUIDE = await readFile(projectFile('docs/moving.md'), 'utf8')

/** Documents of other kinds than the shop has: circular references, odd texts, ids with dots and dashes. */
const ODD = [
  {_id: 'a', _type: 'page', next: {_type: 'reference', _ref: 'b'}},
  {_id: 'b', _type: 'page', next: {_type: 'reference', _ref: 'c'}},
  {
    _id: 'c',
    _type: 'page',
    next: {_type: 'reference', _ref: 'a'},
    list: [{_key: 'k', n: 1e21}],
    nothing: null,
  },
  {_id: 'a.private-1', _type: 'page', text: '  \u2028 ünïcode 👩‍🚀 \\ "quotes" \r\n', empty: ''},
  {_id: 'z_last', _type: 'page', to: {_type: 'reference', _ref: 'tool-add-to-cart'}, later: '2024-02-30'},
]

/** A lake in place of hosted Sanity, with the shop's and the odd documents of two dates. */
async function hosted(t: TestContext): Promise<RunningLake> {
  const repository = await temporaryWorkTree(t)
  await cp(projectFile('examples/shop/content'), repository.directory, {recursive: true})
  await repository.commit({}, 1_600_000_000)
  const odd = Object.fromEntries(ODD.map((document) => [`page/${document._id}.json`, document]))
  await repository.commit(odd, 1_700_000_000)
  const bare = join(await temporaryFolder(t), 'content.git')
  await repository.git('clone', '--quiet', '--bare', '.', bare)
  return runLakeOver(t, testRepository(bare), {projectId: 'abc123'})
}

/** Runs the commands of a section of the guide in a folder. */
async function follow(t: TestContext, heading: string, lake: RunningLake, folder: string): Promise<void> {
  const section = GUIDE.split('\n## ').find((part) => part.startsWith(heading)) ?? ''
  const sanity = await sanityCli(t, lake.address, folder)
  const commands = commandsOf(section).filter((command) => !command.endsWith('login'))
  assert.ok(commands.length > 1)
  for (const command of commands) {
    const [, program, ...args] = command.split(' ')
    if (program === 'sanity') await sanity.run(...args)
    else {
      const {code, error} = await content(args.slice(2), folder)
      assert.equal(code, 0, error)
    }
  }
}

/** What the service over a lake sends, with entity tags. */
async function servedBy(t: TestContext, lake: RunningLake): Promise<string[]> {
  const settings = readServiceSettings({
    PORT: '0',
    SANITY_API_HOST: lake.address,
    SANITY_API_TOKEN: token,
    SANITY_PROJECT_ID: 'abc123',
    SNAPSHOT_DIR: await temporaryFolder(t),
  })
  const service = await startService(settings, listeningLog().log)
  try {
    const paths = ['/', '/products', '/products/1', '/cart', '/contact']
    return await Promise.all(
      paths.map(async (path) => {
        const url = `${service.address}/api/sites/demo-shop/config?path=${encodeURIComponent(path)}`
        const response = await fetch(url, {headers: UNCODED})
        assert.equal(response.status, 200)
        return `${response.headers.get('etag')} ${await response.text()}`
      }),
    )
  } finally {
    await service.close()
  }
}

/** All documents of a lake. Those with references are written twice by Sanity's import, so they get its time. */
async function documentsOf({address}: RunningLake): Promise<unknown[]> {
  const headers = {authorization: `Bearer ${token}`}
  const response = await fetch(`${address}/v2025-02-19/data/export/production`, {headers})
  const lines = (await response.text()).trim().split('\n')
  return lines.map((line) => {
    const {_rev, _updatedAt, ...document} = JSON.parse(line)
    return line.includes('"_ref"') ? document : {...document, _updatedAt}
  })
}

test('the commands of the guide move documents with their dates to Git and back, and the service sends the same bytes', async (t) => {
  const first = await hosted(t)
  const folder = await temporaryFolder(t)
  await follow(t, 'From hosted Sanity to Git', first, folder)
  const second = await runLake(t, {}, {projectId: 'abc123'})
  await follow(t, 'From Git to hosted Sanity', second, folder)
  const documents = await documentsOf(first)
  assert.equal(documents.length, 17)
  assert.match(JSON.stringify(documents), /"_createdAt":"2020-09-13T12:26:40Z"/)
  assert.deepEqual(await documentsOf(second), documents)
  assert.deepEqual(await servedBy(t, second), await servedBy(t, first))
})
