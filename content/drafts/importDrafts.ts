import {join} from 'node:path'
import {isJsonObject} from '../../common/json.ts'
import {type Document, isDocument} from '../document.ts'
import {type ImportLogger, importFile, parseLines} from '../state/importFile.ts'
import type {State} from '../state/state.ts'
import {DraftSteps} from './draftSteps.ts'
import {type Draft, isDraft, putDraft} from './journal.ts'

/** Maximum number of damaged lines that are named. */
const MAX_NAMED = 20

/** Whether Git has the commit of a transaction: entries of version 0.1 have no attempt. */
export type WasCommitted = (transactionId: string, attempt: string | undefined) => Promise<boolean>

/**
 * Takes over the journal of drafts and their history from the files of earlier versions.
 * @param folder where these files are
 * @throws Error with one line
 */
export async function importDrafts(
  state: State,
  folder: string,
  wasCommitted: WasCommitted,
  options: {readonly renames: boolean; readonly logger: ImportLogger},
): Promise<void> {
  const path = join(folder, 'drafts.jsonl')
  await importFile(state, path, {
    ...options,
    read: async (content) => {
      const {lines, damaged} = parseLines(content)
      const drafts = await draftsIn(lines, wasCommitted)
      if (damaged.length > 0) {
        const lineNumbers = damaged.slice(0, MAX_NAMED)
        options.logger.warn(
          {path: `${path}.imported`, lineNumbers, count: damaged.length},
          'skipped damaged lines in the drafts journal of an earlier version: check whether a draft is missing',
        )
      }
      return () => {
        for (const [id, draft] of drafts) putDraft(state, id, draft)
      }
    },
  })
  await importFile(state, join(folder, 'draft-history.jsonl'), {
    ...options,
    read: (content) => () => importSteps(state, parseLines(content).lines.flat()),
  })
}

async function draftsIn(lines: readonly unknown[], wasCommitted: WasCommitted): Promise<Map<string, Draft>> {
  const drafts = new Map<string, Draft>()
  for (const [index, line] of lines.entries()) {
    if (!isEntryLine(line)) continue
    const {id, attempt, drafts: changed, commits} = line
    const counts = commits !== true || (decisionOf(line, lines, index) ?? (await wasCommitted(id, attempt)))
    if (!counts) continue
    for (const [key, draft] of Object.entries(changed)) {
      if (draft === null) drafts.delete(key)
      else drafts.set(key, draft)
    }
  }
  return drafts
}

/**
 * Whether the entry at `index` took effect; undefined if that could not be recorded. Entries of version 0.1 have no
 * attempt: if such a transaction was retried under its id, its first attempt failed.
 */
function decisionOf({id, attempt}: EntryLine, lines: readonly unknown[], index: number): boolean | undefined {
  for (const line of lines.slice(index + 1)) {
    if (isDecision(line) && line.decides === (attempt ?? id)) return line.done
    if (attempt === undefined && isEntryLine(line) && line.id === id) return false
  }
  return undefined
}

type EntryLine = {
  readonly id: string
  readonly attempt?: string
  readonly drafts: {readonly [id: string]: Draft | null}
  readonly commits?: true
}
type Decision = {readonly decides: string; readonly done: boolean}

function isEntryLine(value: unknown): value is EntryLine {
  return (
    isJsonObject(value) &&
    typeof value.id === 'string' &&
    (value.attempt === undefined || typeof value.attempt === 'string') &&
    isJsonObject(value.drafts) &&
    Object.values(value.drafts).every((draft) => draft === null || isDraft(draft)) &&
    (value.commits === undefined || value.commits === true)
  )
}

function isDecision(value: unknown): value is Decision {
  return isJsonObject(value) && typeof value.decides === 'string' && typeof value.done === 'boolean'
}

/** A step is missing `before` if the line before it has that state. */
function importSteps(state: State, lines: readonly unknown[]): void {
  const steps = new DraftSteps(state)
  const last = new Map<string, Document>()
  for (const line of lines) {
    if (!isStepLine(line)) continue
    const {documentId, id, timestamp, author, previous, after} = line
    const before = line.before ?? last.get(documentId)
    if (after === null) last.delete(documentId)
    else last.set(documentId, after)
    // If a line before this one is missing, the state before this step is unknown.
    if (before?._rev !== (previous ?? undefined)) continue
    steps.add(documentId, {id, timestamp, author, before, after: after ?? undefined})
  }
}

type StepLine = {
  readonly documentId: string
  readonly id: string
  readonly timestamp: string
  readonly author: string
  readonly previous: string | null
  readonly before?: Document
  readonly after: Document | null
}

function isStepLine(value: unknown): value is StepLine {
  if (!isJsonObject(value)) return false
  const {documentId, id, timestamp, author, previous, before, after} = value
  return (
    [documentId, id, timestamp, author].every((text) => typeof text === 'string') &&
    (previous === null || typeof previous === 'string') &&
    (before === undefined || isDocument(before)) &&
    (after === null || isDocument(after))
  )
}
