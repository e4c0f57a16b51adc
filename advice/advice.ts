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
  /** Who recommends it. */
  readonly source: string
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
export type Edit = {readonly start: number; readonly end: number; readonly text: string}

/** `warning`: agents will probably fail or be misled. `info`: worth checking. */
type Severity = 'warning' | 'info'

const CHROME = 'Chrome’s recommendations for WebMCP tools'
const WPT = 'the web platform tests for WebMCP'
const WEBMCP = 'the WebMCP specification'
const JSON_SCHEMA = 'the JSON Schema specification'
const HANDRAIL = 'Handrail'
const AGENTS = 'what is known of agents'

/** Every kind of advice, with its severity and its source. `docs/advice.md` lists the same codes. */
export const ADVICE = {
  NAME_LONG: ['info', CHROME],
  NAME_TOO_LONG_FOR_AGENTS: ['warning', AGENTS],
  NAME_WITH_DOT: ['info', AGENTS],
  NAME_SIMILAR: ['warning', HANDRAIL],
  NAME_OF_PAGE: ['warning', WEBMCP],
  DESCRIPTION_LONG: ['info', CHROME],
  DESCRIPTION_SHORT: ['warning', CHROME],
  DESCRIPTION_PLACEHOLDER: ['warning', HANDRAIL],
  DESCRIPTION_INSTRUCTS_MODEL: ['warning', CHROME],
  DESCRIPTION_INVISIBLE_CHARACTERS: ['warning', CHROME],
  DESCRIPTION_MARKUP: ['warning', HANDRAIL],
  PARAMETER_NAME_LONG: ['info', CHROME],
  PARAMETER_NAME_CHARACTERS: ['warning', HANDRAIL],
  PARAMETER_DUPLICATE: ['warning', HANDRAIL],
  PARAMETER_UNDESCRIBED: ['warning', CHROME],
  PARAMETER_DESCRIPTION_LONG: ['info', CHROME],
  PARAMETER_SENSITIVE: ['warning', HANDRAIL],
  PARAMETER_UNTYPED: ['info', HANDRAIL],
  REQUIRED_UNKNOWN: ['warning', HANDRAIL],
  VALUE_NOT_ALLOWED: ['warning', HANDRAIL],
  CHOICES_FEW: ['warning', HANDRAIL],
  LIMITS_CONTRADICT: ['warning', HANDRAIL],
  KEYWORD_UNSUPPORTED: ['warning', WPT],
  PATTERN_NOT_UNICODE: ['warning', JSON_SCHEMA],
  PARAMETER_UNREAD: ['warning', HANDRAIL],
  ARGUMENT_UNKNOWN: ['warning', HANDRAIL],
  RETURN_MISSING: ['warning', HANDRAIL],
  RESULT_FIXED: ['warning', HANDRAIL],
  ADDRESS_WRONG: ['warning', HANDRAIL],
  ADDRESS_OTHER_ORIGIN: ['info', HANDRAIL],
  ACTION_IGNORED: ['info', HANDRAIL],
  RECIPE_UNCHANGED: ['warning', HANDRAIL],
  DIALOG: ['warning', HANDRAIL],
  NAVIGATION_BEFORE_RETURN: ['warning', HANDRAIL],
  HTML_FROM_ARGUMENTS: ['warning', HANDRAIL],
  SECRET: ['warning', HANDRAIL],
  PATH_WITH_QUERY: ['warning', HANDRAIL],
  PATH_WITH_COMMA: ['warning', HANDRAIL],
  PATH_WITH_HOST: ['warning', HANDRAIL],
  PATH_WITH_PLACEHOLDER: ['warning', HANDRAIL],
  PATH_WITH_EMPTY_PART: ['warning', HANDRAIL],
  PATH_STAR_IN_NAME: ['info', HANDRAIL],
  PATH_ONE_LEVEL: ['info', HANDRAIL],
  SELECTOR_WORDS: ['warning', HANDRAIL],
  SELECTOR_NOT_A_FORM: ['warning', HANDRAIL],
  FIELD_NAME_WORDS: ['info', HANDRAIL],
  CONDITION_NEVER: ['warning', HANDRAIL],
  CONDITION_OVER: ['warning', HANDRAIL],
  LANGUAGE_INCOMPLETE: ['info', HANDRAIL],
  LANGUAGE_PARAMETER_UNKNOWN: ['warning', HANDRAIL],
  OUTPUT_SCHEMA_BROKEN: ['warning', JSON_SCHEMA],
  AUTOSUBMIT_CONSEQUENTIAL: ['warning', WEBMCP],
  HINT_CONTRADICTS_NAME: ['warning', WEBMCP],
  HINT_CONTRADICTS_SCRIPT: ['warning', WEBMCP],
  READ_ONLY_UNSET: ['info', AGENTS],
  HINTS_CONTRADICT: ['warning', WEBMCP],
  POLL_INTERVAL_LONG: ['warning', HANDRAIL],
  DESCRIPTION_SIMILAR: ['warning', CHROME],
  FORM_SHARED: ['warning', HANDRAIL],
  ENABLED_MISSING: ['info', HANDRAIL],
  TOOLS_MANY: ['info', CHROME],
  TOOLS_TOO_MANY: ['warning', CHROME],
} as const satisfies Record<string, readonly [Severity, string]>

export type AdviceCode = keyof typeof ADVICE

/** Makes a piece of advice with the severity and the source that its code has. */
export function advise(code: AdviceCode, field: string, message: string, place: Place = {}): Advice {
  const [severity, source] = ADVICE[code]
  return {code, severity, field, message, source, ...place}
}
