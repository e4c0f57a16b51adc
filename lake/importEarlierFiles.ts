import {join} from 'node:path'
import type {ImportLogger} from '../content/state/importFile.ts'
import type {State} from '../content/state/state.ts'
import {importPeople} from './access/importPeople.ts'
import {importCursors} from './webhooks/outgoing/importCursors.ts'

export type ImportEarlierOptions = {
  readonly gitDir: string
  /** The file of people; the files of their sessions and of the audit log are next to it. */
  readonly editorsFile: string | undefined
  /** Whether this process has the lock of the repository. Otherwise only a database in memory takes the files over. */
  readonly isLocked: boolean
  readonly logger: ImportLogger
}

/**
 * Takes over the files of version 0.1, but for the drafts, which their journal takes over.
 * @throws Error with one line
 */
export async function importEarlierFiles(
  state: State,
  {gitDir, editorsFile, isLocked, logger}: ImportEarlierOptions,
): Promise<void> {
  if (!isLocked && !state.isInMemory) return
  const options = {renames: isLocked, logger}
  if (editorsFile !== undefined) await importPeople(state, editorsFile, options)
  await importCursors(state, join(gitDir, 'handrail'), options)
}
