import type {AdviceCode} from '../../advice/advice.ts'

/**
 * `error`: something is not served, or Studio would refuse to publish it. `warning` and `info`: advice, and
 * files that are served but probably not as intended.
 */
export type Severity = 'error' | 'warning' | 'info'

/** Every kind of finding besides advice. `docs/content-check.md` lists the same codes. */
export const PROBLEMS = {
  RULE_BROKEN: 'error',
  DOCUMENT_NOT_SERVED: 'error',
  FILE_EMPTY: 'error',
  FILE_UNREADABLE: 'error',
  TEXT_ORPHANED: 'error',
  FOLDER_NOT_READ: 'error',
  FILE_NESTED: 'error',
  CASE_COLLISION: 'error',
  ID_TAKEN: 'error',
  NAME_TAKEN: 'error',
  PUBLIC_ID_TAKEN: 'error',
  REFERENCE_BROKEN: 'error',
  SITE_TOO_LARGE: 'error',
  KEY_DUPLICATE: 'warning',
  FIELD_UNKNOWN: 'warning',
  TYPE_UNKNOWN: 'warning',
  FILE_NOT_READ: 'warning',
  FILE_NAME: 'warning',
  BYTE_ORDER_MARK: 'warning',
  LINE_ENDINGS: 'warning',
  FILE_EXECUTABLE: 'info',
  FILE_OF_SYSTEM: 'info',
} as const satisfies Record<string, Severity>

type ProblemCode = keyof typeof PROBLEMS

/** Something that is wrong, or probably wrong, in a repository. */
export type Finding = {
  readonly code: ProblemCode | AdviceCode
  readonly severity: Severity
  readonly path: string
  /** Counted from 1. */
  readonly line?: number
  /** In UTF-16 code units, counted from 1. */
  readonly column?: number
  /** The field of the document, such as `annotations.readOnlyHint`. */
  readonly field?: string
  /** What is wrong, and what to do. */
  readonly message: string
}

/** Makes a finding with the severity that its code has. */
export function problem(
  code: ProblemCode,
  path: string,
  message: string,
  place: Pick<Finding, 'line' | 'column' | 'field'> = {},
): Finding {
  return {code, severity: PROBLEMS[code], path, message, ...place}
}
