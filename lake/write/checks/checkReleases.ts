import {type Document, labelOf} from '../../../content/document.ts'
import {releaseId, releaseNameIn, versionId} from '../../../content/ids.ts'
import {refuse} from '../errors.ts'
import {publishedReleases, type Request} from '../request.ts'
import type {TimeSlices} from '../timeSlices.ts'
import type {DocumentRule} from '../transaction/publishing.ts'
import {releaseIn, titleOf} from '../transaction/releases/release.ts'
import type {Workspace} from '../transaction/workspace.ts'

type CheckReleasedOptions = {
  readonly request: Request
  readonly workspace: Workspace
  readonly slices: TimeSlices
  readonly problemOf: DocumentRule
}

/**
 * Checks that every version belongs to a release that people can change: a scheduled one is locked, so that what is published at
 * its time is what was looked at.
 * @param changed the new states; undefined for deleted documents
 * @throws RefusedError 400 or 409
 */
export function checkReleases(
  changed: ReadonlyMap<string, Document | undefined>,
  workspace: Workspace,
): void {
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
  }
}

/**
 * Checks what releases publish with the rules that say what is served: at its time, no person looks at the form any more.
 * @throws RefusedError 400
 */
export async function checkReleased(
  published: ReadonlyMap<string, Document | undefined>,
  {request, workspace, slices, problemOf}: CheckReleasedOptions,
): Promise<void> {
  const names = publishedReleases(request)
  for (const [id, after] of published) {
    if (after === undefined || !names.some((name) => workspace.before(versionId(name, id)))) continue
    const problem = problemOf(after)
    if (problem !== undefined)
      throw refuse.unfit(id, `${after._type} “${labelOf(after)}” cannot be published: ${problem}`)
    await slices.turn()
  }
}
