import {TEXTS, TOOL} from './documents.ts'

/** The content of a file, or what is there instead. */
export type BrokenFile =
  | string
  | Buffer
  | {readonly link: string}
  | {readonly submodule: string}
  | {readonly program: string}

/** A repository with one mistake, next to documents without any. */
export type BrokenRepository = {
  readonly name: string
  /** Added to {@link GOOD_FILES}, or instead of some of them. Undefined: without that file. */
  readonly files: Readonly<Record<string, BrokenFile | undefined>>
  /** What `content check` finds: code, path and line. */
  readonly findings: readonly (readonly [code: string, path: string, line?: number])[]
  /** What one of the messages says to do. */
  readonly remedy: RegExp
  /** Documents that the lake does not serve, as `<type>/<_id>`. */
  readonly unserved?: readonly string[]
}

/** A second tool, in one file. */
const OTHER = {...TOOL, ...TEXTS, _id: 'other', name: 'listDrinks', pathPattern: '/drinks'}
export const OTHER_DESCRIBED = {
  ...OTHER,
  description: 'Lists every drink of the bar, and how much alcohol it has.',
}

export const notServed = (path: string, line?: number) =>
  line === undefined
    ? (['DOCUMENT_NOT_SERVED', path] as const)
    : (['DOCUMENT_NOT_SERVED', path, line] as const)
