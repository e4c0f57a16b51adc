import {isRecord} from '../../record.ts'
import {accept, type Parsed, refuse} from '../parsed.ts'
import {requestChanges} from './effects.ts'
import {inferHints} from './inferHints.ts'

/** The hints (docs/specification.md, “Hints”), in the order in which they are served. */
export const HINTS = ['readOnlyHint', 'consequentialHint', 'untrustedContentHint'] as const

export type Hint = (typeof HINTS)[number]

/** What editors call the hints. */
export const HINT_TITLES: Readonly<Record<Hint, string>> = {
  readOnlyHint: 'Read-only',
  consequentialHint: 'Consequential',
  untrustedContentHint: 'Untrusted content',
}

/** What an editor chose for a hint. Text, because a radio list in Studio stores text. */
export type HintSetting = (typeof SETTINGS)[number]

const SETTINGS = ['auto', 'true', 'false'] as const

/**
 * Only hints that are true: a hint that is false is left out. `debugging` is
 * WebMCP's flag for tools that only developers need. It is not a hint: it says who the tool is for, so it cannot
 * be inferred from a name.
 */
export type Annotations = Partial<Record<Hint | 'debugging', true>>

/** Parses the editor's choice for every hint. A missing hint is Auto. */
export function parseHintSettings(value: unknown): Parsed<Record<Hint, HintSetting>> {
  const settings: Record<Hint, HintSetting> = {
    readOnlyHint: 'auto',
    consequentialHint: 'auto',
    untrustedContentHint: 'auto',
  }
  const given = value ?? {}
  if (!isRecord(given)) return refuse('The hints must be an object.')
  for (const hint of HINTS) {
    const chosen = given[hint] ?? 'auto'
    const setting = SETTINGS.find((known) => known === chosen)
    if (setting === undefined) {
      return refuse(`The ${hint} must be "auto", "true" or "false", with quotation marks if you edit JSON.`)
    }
    settings[hint] = setting
  }
  return accept(settings)
}

/** Parses the editor's choices, and the `debugging` flag. A missing flag is off. */
export function parseAnnotations(
  value: unknown,
): Parsed<{readonly hints: Record<Hint, HintSetting>; readonly debugging: boolean}> {
  const hints = parseHintSettings(value)
  if (!hints.ok) return hints
  const debugging = (isRecord(value) ? value.debugging : undefined) ?? false
  return typeof debugging === 'boolean'
    ? accept({hints: hints.value, debugging})
    : refuse('The annotation "debugging" must be true or false, without quotation marks.')
}

/** The hints to serve: as the editor set them, and those on Auto as the tool's name says. */
export function annotationsOf(
  name: string,
  settings: Record<Hint, HintSetting>,
  inferred = inferAnnotations(name),
): Annotations {
  const annotations: Annotations = {}
  for (const hint of HINTS) {
    const setting = settings[hint]
    if (setting === 'true' || (setting === 'auto' && inferred[hint])) annotations[hint] = true
  }
  return annotations
}

/**
 * The hints inferred from a tool's name, in the order of `HINTS`; see `inferHints`. A tool without a script never only reads if its
 * request may change something.
 */
export function inferAnnotations(name: string, tool: {readonly [field: string]: unknown} = {}): Annotations {
  const {readOnly, consequential, untrusted} = inferHints(name)
  return {
    ...(readOnly && !requestChanges(tool) && {readOnlyHint: true}),
    ...(consequential && {consequentialHint: true}),
    ...(untrusted && {untrustedContentHint: true}),
  }
}
