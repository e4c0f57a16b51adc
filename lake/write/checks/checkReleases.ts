import type {Document} from '../../../content/document.ts'
import {releaseId, releaseNameIn, versionId} from '../../../content/ids.ts'
import {refuse} from '../errors.ts'
import {releaseIn, titleOf} from '../transaction/releases/release.ts'
import type {Workspace} from '../transaction/workspace.ts'

/** Maximum versions in a release: Sanity's bound. */
const MAX_VERSIONS = 1_000

/**
 * Checks that every version belongs to a release that people can change: a scheduled one is locked, so that what is published at
 * its time is what was looked at.
 * @param changed the new states; undefined for deleted documents
 * @throws RefusedError 409
 */
export function checkReleases(
  changed: ReadonlyMap<string, Document | undefined>,
  workspace: Workspace,
): void {
  const grown = new Set<string>()
  for (const [id, after] of changed) {
    const name = releaseNameIn(id)
    if (name === undefined) continue
    const release = releaseIn(workspace.get(releaseId(name)))
    if (release === undefined) throw refuse.notFound(releaseId(name))
    const before = releaseIn(workspace.before(releaseId(name)))
    // An action on the release may remove its versions in any state.
    const isRemoved = after === undefined && before?.state !== release.state
    if (release.state !== 'active' && !isRemoved)
      throw refuse.releaseState(release._id, titleOf(release), release.state)
    if (after !== undefined && workspace.before(id) === undefined) grown.add(name)
  }
  for (const name of grown)
    if (workspace.idsFrom(versionId(name, '')).filter((id) => workspace.get(id)).length > MAX_VERSIONS)
      throw refuse.malformed(`A release can have at most ${MAX_VERSIONS} documents`)
}
