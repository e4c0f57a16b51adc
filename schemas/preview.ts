import type {ToolTest} from './fields/tests.ts'

/**
 * The `source` of a preview secret. It binds the secret to one site.
 * https://github.com/sanity-io/visual-editing/tree/main/packages/preview-url-secret
 */
export function previewSourceOf(publicId: string): string {
  return `handrail.${publicId}`
}

/**
 * Minutes after which a preview link starts no preview any more. A preview that it has started lasts longer. A service
 * of several replicas can open a link once for each of them, so this is short.
 */
export const LINK_MINUTES = 15

/**
 * The owner of the secrets with which Studio reads what a service reports of a site. All editors share them, and no link has
 * them.
 */
export const REPORTS_OWNER = 'handrail.visits'

/** A tool or form tool of a site with its drafts applied, as the service tells the panel about it for one path. */
export type PreviewedTool = {
  /** Of the published document. */
  readonly id: string
  readonly type: 'tool' | 'formTool'
  readonly name: string
  readonly state: 'published' | 'changed' | 'new'
  /** Who changed the draft last, if it is known. */
  readonly author?: string
  /** Whether all who wrote the draft may publish it. Others could not make it run on a page by themselves. */
  readonly mayBePublished?: true
  /** Whether a call changes something, whatever its hints say. */
  readonly changes?: true
  /** The members that entries of its list have. */
  readonly members?: readonly string[]
  /** On this path, with the drafts applied. */
  readonly isOffered: boolean
  /** Why not, in one or two words, and in sentences. */
  readonly title: string
  readonly reasons: readonly string[]
  readonly advice: readonly PreviewedAdvice[]
  /** Tests of an enabled tool that this page may offer, or that one of them names this page for. */
  readonly tests: readonly ToolTest[]
  /** What is wrong with the tests. */
  readonly testsProblem?: string
}

/** Advice as the panel shows it. */
export type PreviewedAdvice = {
  readonly code: string
  readonly severity: string
  readonly field: string
  readonly message: string
  /** In the script, from 1. */
  readonly line?: number
}
