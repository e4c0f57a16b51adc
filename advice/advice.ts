/**
 * A warning about a document that the rules accept. Advice never blocks publishing. It says what is probably
 * wrong, where, and what to do about it.
 */
export type Advice = {
  readonly code: AdviceCode
  readonly severity: Severity
  /** The field that the advice is about, as in the schema. */
  readonly field: string
  /** One or two sentences for the editor. */
  readonly message: string
  /** The start of the problem in the field's text, in UTF-16 code units, if known. */
  readonly offset?: number
  /** The members that lead to the problem in a field with JSON, if known. */
  readonly path?: readonly (string | number)[]
  /** What puts it right, where there is one right answer. */
  readonly fix?: Fix
}

/** Where in the text of its field the problem is, and what puts it right. */
export type Place = Pick<Advice, 'offset' | 'path' | 'fix'>

/** A change of one field that a person can choose, with words for the button, such as "Use /api/events". */
export type Fix = {
  readonly title: string
  /** The field that changes; undefined for the one that the advice is about. */
  readonly field?: string
} & (
  | {readonly edits: readonly Edit[]}
  /** A member of a field with JSON, and its new value; undefined to remove it. */
  | {readonly member: readonly (string | number)[]; readonly value: unknown}
  /** The new value of the whole field. */
  | {readonly replacement: string | number}
)

/** A part of a text, in UTF-16 code units, and what takes its place. */
type Edit = {readonly start: number; readonly end: number; readonly text: string}

/** `warning`: agents will probably fail or be misled. `info`: worth checking. */
type Severity = 'warning' | 'info'

/** Every kind of advice, with its severity. `docs/advice.md` lists the same codes. */
export const ADVICE = {
  NAME_LONG: 'info',
  NAME_TOO_LONG_FOR_AGENTS: 'warning',
  NAME_WITH_DOT: 'info',
  NAME_SIMILAR: 'warning',
  NAME_OF_PAGE: 'warning',
  DESCRIPTION_LONG: 'info',
  DESCRIPTION_SHORT: 'warning',
  DESCRIPTION_PLACEHOLDER: 'warning',
  DESCRIPTION_INSTRUCTS_MODEL: 'warning',
  DESCRIPTION_INVISIBLE_CHARACTERS: 'warning',
  DESCRIPTION_MARKUP: 'warning',
  PARAMETER_NAME_LONG: 'info',
  PARAMETER_NAME_CHARACTERS: 'warning',
  PARAMETER_DUPLICATE: 'warning',
  PARAMETER_UNDESCRIBED: 'warning',
  PARAMETER_DESCRIPTION_LONG: 'info',
  PARAMETER_SENSITIVE: 'warning',
  REQUIRED_UNKNOWN: 'warning',
  VALUE_NOT_ALLOWED: 'warning',
  CHOICES_FEW: 'warning',
  PATTERN_NOT_UNICODE: 'warning',
  PARAMETER_UNREAD: 'warning',
  ARGUMENT_UNKNOWN: 'warning',
  RETURN_MISSING: 'warning',
  RESULT_FIXED: 'warning',
  ADDRESS_WRONG: 'warning',
  ADDRESS_OTHER_ORIGIN: 'info',
  ACTION_IGNORED: 'info',
  RECIPE_UNCHANGED: 'warning',
  DIALOG: 'warning',
  NAVIGATION_BEFORE_RETURN: 'warning',
  HTML_FROM_ARGUMENTS: 'warning',
  SECRET: 'warning',
  PATH_WITH_QUERY: 'warning',
  PATH_WITH_COMMA: 'warning',
  PATH_WITH_HOST: 'warning',
  PATH_WITH_PLACEHOLDER: 'warning',
  PATH_WITH_EMPTY_PART: 'warning',
  PATH_STAR_IN_NAME: 'info',
  PATH_ONE_LEVEL: 'info',
  CONDITION_NEVER: 'warning',
  CONDITION_OVER: 'warning',
  LANGUAGE_INCOMPLETE: 'info',
  LANGUAGE_PARAMETER_UNKNOWN: 'warning',
  OUTPUT_SCHEMA_BROKEN: 'warning',
  AUTOSUBMIT_CONSEQUENTIAL: 'warning',
  HINT_CONTRADICTS_NAME: 'warning',
  HINT_CONTRADICTS_SCRIPT: 'warning',
  READ_ONLY_UNSET: 'info',
  HINTS_CONTRADICT: 'warning',
  POLL_INTERVAL_LONG: 'warning',
  DESCRIPTION_SIMILAR: 'warning',
  FORM_SHARED: 'warning',
  ENABLED_MISSING: 'info',
  TOOLS_MANY: 'info',
  TOOLS_TOO_MANY: 'warning',
} as const satisfies Record<string, Severity>

export type AdviceCode = keyof typeof ADVICE

/** Makes a piece of advice with the severity that its code has. */
export function advise(code: AdviceCode, field: string, message: string, place: Place = {}): Advice {
  return {code, severity: ADVICE[code], field, message, ...place}
}
