import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import type {Document} from '../../../content/document.ts'
import {ContentRepository} from '../../../content/repository.ts'
import {openContentDirectory} from '../../../git/openContentDirectory.ts'
import {temporaryRepository} from '../../lake/support/git.ts'
import {recordingLogger} from '../../lake/support/log.ts'
import {commitBroken} from '../../support/brokenRepositories/commit.ts'
import {GOOD_FILES} from '../../support/brokenRepositories/documents.ts'
import {BROKEN_REPOSITORIES} from '../../support/brokenRepositories/repositories.ts'

/** Documents that are in a repository of the table, if only by their names. */
const GOOD = Object.keys(GOOD_FILES).flatMap((path) => /^(\w+\/\w+)\.json$/.exec(path)?.[1] ?? [])

test('a lake serves the rest of each broken repository, and says what it does not serve', async (t) => {
  const lake = await follow(t)
  for (const [number, repository] of BROKEN_REPOSITORIES.entries()) {
    const {name, files, unserved = []} = repository
    const branch = `broken-${number}`
    await commitBroken(lake.directory, repository, branch)
    lake.warnings.length = 0
    // Each repository is also a change of the one before it.
    const served = await lake.checkOut(branch)
    for (const document of unserved) {
      assert.ok(!served.has(document), `${name}: ${document} is served`)
      const warning = lake.warnings.find(({path}) => String(path).startsWith(`${document}.`))
      assert.match(String(warning?.reason), /\w/, `${name}: no warning names ${document}`)
    }
    for (const document of GOOD) {
      const isChanged = `${document}.json` in files || unserved.includes(document)
      assert.ok(isChanged || served.has(document), `${name}: ${document} is not served`)
    }
    assert.deepEqual(await lake.fromNothing(), served, `${name}: a new lake serves the same`)
  }
})

/** A lake's view of a repository whose HEAD moves. */
async function follow(t: TestContext) {
  const {directory, git} = await temporaryRepository(t)
  const {logger, warnings} = recordingLogger()
  const open = async () => new ContentRepository(await openContentDirectory(directory), logger)
  const repository = await open()
  const documents = new Map<string, Document>()
  const take = async (from: ContentRepository, into: Map<string, Document>) => {
    for (const [id, document] of (await from.refresh())?.documents ?? []) {
      if (document === undefined) into.delete(id)
      else into.set(id, document)
    }
    const all = Array.from(into.values(), (document): [string, Document] => [
      `${document._type}/${document._id}`,
      document,
    ])
    return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return {
    directory,
    warnings,
    async checkOut(branch: string) {
      await git('symbolic-ref', 'HEAD', `refs/heads/${branch}`)
      return take(repository, documents)
    },
    fromNothing: async () => take(await open(), new Map()),
  }
}
