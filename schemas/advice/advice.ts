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
}

/** `warning`: agents will probably fail or be misled. `info`: worth checking. */
export type Severity = 'warning' | 'info'

const CHROME = 'Chrome’s recommendations for WebMCP tools'
const WPT = 'the web platform tests for WebMCP'
const WEBMCP = 'the WebMCP specification'
const HANDRAIL = 'Handrail'

/** Every kind of advice, with its severity and its source. `docs/advice.md` lists the same codes. */
export const ADVICE = {
  NAME_LONG: ['info', CHROME],
  DESCRIPTION_LONG: ['info', CHROME],
  DESCRIPTION_REPEATS_NAME: ['warning', CHROME],
  DESCRIPTION_INSTRUCTS_MODEL: ['warning', CHROME],
  DESCRIPTION_INVISIBLE_CHARACTERS: ['warning', CHROME],
  PARAMETER_NAME_LONG: ['info', CHROME],
  PARAMETER_UNDESCRIBED: ['warning', CHROME],
  PARAMETER_DESCRIPTION_LONG: ['info', CHROME],
  REQUIRED_UNKNOWN: ['warning', HANDRAIL],
  KEYWORD_UNSUPPORTED: ['warning', WPT],
  PARAMETER_UNREAD: ['warning', HANDRAIL],
  ARGUMENT_UNKNOWN: ['warning', HANDRAIL],
  VARIABLE_UNDECLARED: ['warning', HANDRAIL],
  RETURN_MISSING: ['warning', HANDRAIL],
  FUNCTION_UNCALLED: ['warning', HANDRAIL],
  PROMISE_NEVER_SETTLES: ['warning', HANDRAIL],
  RESULT_NOT_JSON: ['warning', WEBMCP],
  THROW_WITHOUT_ERROR: ['info', WEBMCP],
  FETCH_WITHOUT_SIGNAL: ['info', WEBMCP],
  SECRET: ['warning', HANDRAIL],
  PATH_WITH_QUERY: ['warning', HANDRAIL],
  PATH_WITH_COMMA: ['warning', HANDRAIL],
  PATH_WITH_HOST: ['warning', HANDRAIL],
  PATH_UPPER_CASE: ['info', HANDRAIL],
  SELECTOR_WORDS: ['warning', HANDRAIL],
  SELECTOR_NOT_A_FORM: ['warning', HANDRAIL],
  HINT_CONTRADICTS_NAME: ['warning', WEBMCP],
  HINT_CONTRADICTS_SCRIPT: ['warning', WEBMCP],
  DESCRIPTION_SIMILAR: ['warning', CHROME],
  TOOLS_MANY: ['info', CHROME],
  TOOLS_TOO_MANY: ['warning', CHROME],
} as const satisfies Record<string, readonly [Severity, string]>

export type AdviceCode = keyof typeof ADVICE

/** Makes a piece of advice with the severity and the source that its code has. */
export function advise(code: AdviceCode, field: string, message: string, offset?: number): Advice {
  const [severity, source] = ADVICE[code]
  return {code, severity, field, message, source, ...(offset !== undefined && {offset})}
}
