import type {ToolTest} from '../../schemas/rules/tests/toolTests.ts'
import {type Config, parseConfig} from '../config.ts'
import {membersOf} from '../members.ts'

/** What the service says about the drafts of a site, for one path. */
export type Drafts = {
  readonly expiresAt: Date
  /** In place of the token that was sent. */
  readonly token?: string
  readonly studioUrl?: string
  /** The title of the release that is shown in place of drafts. */
  readonly release?: string
  /** Names the preview. */
  readonly preview: string
  readonly site: {
    readonly id: string
    readonly name: string
    /** Whether a person is asked before drafts run. */
    readonly asksForReview: boolean
    readonly reasons: readonly string[]
  }
  readonly config: Config
  /** Addresses below the service's, by the ID of a tool of the config. */
  readonly modules: ReadonlyMap<string, string>
  /** All tools and form tools of the site. */
  readonly tools: readonly DraftTool[]
}

export type DraftTool = {
  /** Of the published document. */
  readonly id: string
  readonly type: string
  readonly name: string
  readonly state: string
  /** Who changed the draft last, if it is known. */
  readonly author?: string
  /** Whether all who wrote the draft may publish it. */
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
  readonly advice: readonly Advice[]
  /** If one of them is for this page. */
  readonly tests: readonly ToolTest[]
  /** What is wrong with the tests. */
  readonly testsProblem?: string
}

export type Advice = {
  readonly severity: string
  readonly message: string
  /** In the script, from 1. */
  readonly line?: number
}

/** Seconds between two requests for drafts. */
const POLL_INTERVAL = 1

/** The response of the service. */
type Body = Omit<Drafts, 'expiresAt' | 'config' | 'modules'> & {
  readonly expiresAt: string
  readonly config: object
  readonly modules: Readonly<Record<string, string>>
}

/** @throws if the text is not such a response. */
export function parseDrafts(text: string, tag: string | null): Drafts {
  const {expiresAt, config, modules, ...body}: Body = JSON.parse(text)
  return {
    ...body,
    expiresAt: new Date(expiresAt),
    config: {...parseConfig(JSON.stringify(config), tag), pollInterval: POLL_INTERVAL},
    modules: new Map(Object.entries(modules)),
  }
}

/** The message of an error of the service; empty if there is none. */
export function messageIn(text: string): string {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {}
  const {message} = membersOf(membersOf(body).error)
  return typeof message === 'string' ? message : ''
}
