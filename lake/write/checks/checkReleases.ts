import {type Document, labelOf} from '../../../content/document.ts'
import {isReleaseId, releaseId, releaseNameIn, VERSION_PREFIX, versionId} from '../../../content/ids.ts'
import {refuse} from '../errors.ts'
import {publishedReleases, type Request} from '../request.ts'
import type {TimeSlices} from '../timeSlices.ts'
import type {DocumentRule} from '../transaction/publishing.ts'
import {documentsFrom, releaseIn, titleOf} from '../transaction/releases/release.ts'
import type {Workspace} from '../transaction/workspace.ts'

/** Maximum versions in a release: Sanity's bound. */
const MAX_VERSIONS = 1_000

/** Maximum releases of a lake that are not published. Studio lists all of them, and the lake looks at each every second. */
const MAX_OPEN = 1_000

type CheckReleasedOptions = {
  readonly request: Request
  readonly workspace: Workspace
  readonly slices: TimeSlices
  readonly problemOf: DocumentRule
}

/**
 * Checks that every version belongs to a release that people can change: a scheduled one is locked, so that what is published at
 * its time is what was looked at. Bounds the releases and what is in them.
 * @param changed the new states; undefined for deleted documents
 * @throws RefusedError 400 or 409
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
  const versions = grown.size === 0 ? [] : workspace.idsFrom(VERSION_PREFIX)
  const sizes = Map.groupBy(
    versions.filter((id) => workspace.get(id) !== undefined),
    releaseNameIn,
  )
  for (const name of grown)
    if ((sizes.get(name)?.length ?? 0) > MAX_VERSIONS)
      throw refuse.malformed(`A release can have at most ${MAX_VERSIONS} documents`)
  const isMade = [...changed].some(([id]) => isReleaseId(id) && workspace.before(id) === undefined)
  if (isMade && openIn(workspace) > MAX_OPEN)
    throw refuse.malformed(
      `A lake can have at most ${MAX_OPEN} releases that are not published: delete some that are archived`,
    )
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

function openIn(workspace: Workspace): number {
  const releases = documentsFrom(releaseId(''), workspace)
  return releases.filter((document) => releaseIn(document)?.state !== 'published').length
}
