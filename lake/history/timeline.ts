import type {Document} from '../../content/document.ts'
import type {Step} from '../../content/drafts/draftSteps.ts'
import type {Revision} from './revisions.ts'

/** A transaction for one document: its revision in Git, its step of the draft, or both. */
export type TimelineEntry = {
  readonly id: string
  readonly timestamp: string
  /** The id of an editor or a program, or the email address of a person who commits with Git. */
  readonly author: string
  readonly revision?: Revision
  readonly step?: Step
}

/** The author of a change whose author is unknown. */
const SYSTEM_AUTHOR = '<system>'

/**
 * Merges the revisions of a document and the steps of its draft into one sequence, the oldest first. A step
 * that was committed is joined with its commit; the others are ordered by time.
 */
export function timelineOf(
  revisions: readonly Revision[],
  steps: readonly Step[],
  authorOf: (email: string) => string,
): TimelineEntry[] {
  const positions = new Map(steps.map(({id}, position) => [id, position]))
  const committed = new Set(revisions.map(({id}) => id))
  const moments: TimelineEntry[] = []
  let next = 0
  const takeSteps = (precedes: (step: Step, position: number) => boolean) => {
    for (let step = steps[next]; step !== undefined && precedes(step, next); step = steps[next]) {
      const {id, timestamp, author} = step
      moments.push({id, timestamp, author, step})
      next += 1
    }
  }
  for (const revision of revisions) {
    const position = positions.get(revision.id)
    const step = position === undefined || position < next ? undefined : steps[position]
    if (step === undefined) {
      const time = Date.parse(revision.timestamp)
      takeSteps(({timestamp, id}) => Date.parse(timestamp) <= time && !committed.has(id))
      const {id, timestamp, email} = revision
      moments.push({id, timestamp, author: authorOf(email), revision})
    } else {
      takeSteps((_, at) => at < (position ?? 0))
      const {id, author} = step
      moments.push({id, timestamp: later(step.timestamp, revision.timestamp), author, revision, step})
      next += 1
    }
  }
  takeSteps(() => true)
  return moments
}

/**
 * A commit is made after its step began, maybe in the next second. Studio asks for the version before a commit with a time
 * just before that of the commit.
 */
function later(step: string, commit: string): string {
  return Date.parse(commit) > Date.parse(step) ? commit : step
}

/**
 * Adds what can be inferred to the steps of a draft: the state before the first step, if there was one, and
 * the current draft, if the log lost its last steps.
 */
export function withInferredEnds(steps: readonly Step[], current: Document | undefined): readonly Step[] {
  const found = [...steps]
  const before = found[0]?.before
  if (before !== undefined) found.unshift(appeared(before, undefined))
  const last = found.at(-1)?.after
  if (current !== undefined && current._rev !== last?._rev) found.push(appeared(current, last))
  return found
}

function appeared(after: Document, before: Document | undefined): Step {
  return {id: after._rev, timestamp: after._updatedAt, author: SYSTEM_AUTHOR, before, after}
}
