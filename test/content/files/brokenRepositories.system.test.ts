import assert from 'node:assert/strict'
import {test} from 'node:test'
import {LAYOUT} from '../../../cli/layout.ts'
import {temporaryRepository} from '../../lake/support/git.ts'
import {fromNothing, sorted, viewOf} from '../../lake/support/view.ts'
import {commitBroken} from '../../support/brokenRepositories/commit.ts'
import {GOOD_FILES} from '../../support/brokenRepositories/documents.ts'
import {BROKEN_REPOSITORIES} from '../../support/brokenRepositories/repositories.ts'

/** Documents that are in a repository of the table, if only by their names. */
const GOOD = Object.keys(GOOD_FILES).flatMap((path) => /^(\w+\/\w+)\.json$/.exec(path)?.[1] ?? [])

test('a lake serves the rest of each broken repository, and says what it does not serve', async (t) => {
  const content = await temporaryRepository(t)
  const view = await viewOf(t, content, LAYOUT)
  for (const [number, repository] of BROKEN_REPOSITORIES.entries()) {
    const {name, files, unserved = []} = repository
    const branch = `broken-${number}`
    await commitBroken(content.directory, repository, branch)
    view.warnings.length = 0
    // Each repository is also a change of the one before it.
    await content.git('symbolic-ref', 'HEAD', `refs/heads/${branch}`)
    await view.refresh()
    const served = new Set(Array.from(view.documents.values(), ({_type, _id}) => `${_type}/${_id}`))
    for (const document of unserved) {
      assert.ok(!served.has(document), `${name}: ${document} is served`)
      const warning = view.warnings.find(({path}) => String(path).startsWith(`${document}.`))
      assert.match(String(warning?.reason), /\w/, `${name}: no warning names ${document}`)
    }
    for (const document of GOOD) {
      const isChanged = `${document}.json` in files || unserved.includes(document)
      assert.ok(isChanged || served.has(document), `${name}: ${document} is not served`)
    }
    assert.deepEqual(
      await fromNothing(t, content, LAYOUT),
      sorted(view.documents),
      `${name}: a new lake serves the same`,
    )
  }
})
