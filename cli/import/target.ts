import {UniqueValues} from '../../content/uniqueValues.ts'
import {DETACHED, readBranch} from '../../git/branch.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {changedEntries} from '../../git/read/treeEntries.ts'
import {UNIQUE_RULES} from '../../schemas/siteRules.ts'
import {CommandError} from '../command.ts'
import {isEmptyDirectory, openFolder, readContent} from '../transfer/repository.ts'
import {type Drafts, openDrafts} from './drafts.ts'
import type {Known} from './plan.ts'

/** A content repository to import into. */
type Target = {
  /** Undefined in a dry run without a repository. */
  readonly folder: ContentDirectory | undefined
  /** The commit to build on. Undefined in a repository without one. */
  readonly head: string | undefined
  readonly known: Known
  readonly drafts: Drafts | undefined
}

/**
 * Opens the repository, and creates a missing one except for a dry run.
 * @throws CommandError
 */
export async function openTarget(
  directory: string,
  {withDrafts, isDryRun}: {readonly withDrafts: boolean; readonly isDryRun: boolean},
): Promise<Target> {
  const unique = new UniqueValues(UNIQUE_RULES)
  if (isDryRun && (await isEmptyDirectory(directory))) {
    const known = {documents: new Map(), unique, paths: []}
    return {folder: undefined, head: undefined, known, drafts: undefined}
  }
  const folder = await openFolder(directory)
  if ((await readBranch(folder.gitDir)) === undefined)
    throw new CommandError(
      `nothing was imported: ${folder.isBare ? DETACHED : `${directory} has no branch checked out`}`,
    )
  if (withDrafts && !folder.isBare)
    throw new CommandError(
      `nothing was imported: ${directory} is a clone with a work tree, and only the bare repository of a lake has drafts. Name that one, or import without --drafts`,
    )
  const drafts = withDrafts ? await openDrafts(folder, !isDryRun) : undefined
  try {
    const {head, documents} = await readContent(folder)
    for (const [id, document] of documents) unique.put(id, document)
    const files = head === undefined ? undefined : await changedEntries(folder.root, undefined, head)
    const known = {
      documents,
      unique,
      paths: [...(files?.after.keys() ?? [])],
      typeOfDraft: (id: string) => drafts?.journal.drafts.get(id)?.document._type,
    }
    return {folder, head, known, drafts}
  } catch (error) {
    await drafts?.close()
    throw error
  }
}
