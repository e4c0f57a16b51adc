import {type Config, parseConfig} from '../config.ts'
import {type Members, membersOf} from '../members.ts'

/** What the service says about the drafts of a site, for one path. */
export type Drafts = {
  readonly expiresAt: Date
  /** In place of the token that was sent. */
  readonly token: string | undefined
  readonly studioUrl: string | undefined
  /** The title of the release that is shown in place of drafts. */
  readonly release: string | undefined
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
  /** Who changed the draft last; empty if it is not known. */
  readonly author: string
  /** Whether all who wrote the draft may publish it. */
  readonly mayBePublished: boolean
  /** Whether a call changes something, whatever its hints say. */
  readonly changes: boolean
  /** The members that entries of its list have. */
  readonly members: readonly string[]
  /** On this path, with the drafts applied. */
  readonly isOffered: boolean
  /** Why not, in one or two words, and in sentences. */
  readonly title: string
  readonly reasons: readonly string[]
  readonly advice: readonly Advice[]
  /** As the service sent them: the module that runs them reads them. */
  readonly tests: readonly Members[]
  /** What is wrong with the tests; empty: nothing. */
  readonly testsProblem: string
}

export type Advice = {
  readonly severity: string
  readonly message: string
  /** In the script, from 1. */
  readonly line: number | undefined
}

/** Seconds between two requests for drafts. */
const POLL_INTERVAL = 1

/** @throws if the text is not such a response. */
export function parseDrafts(text: string, tag: string | null): Drafts {
  const body = membersOf(JSON.parse(text))
  const {id, name, asksForReview, reasons} = membersOf(body.site)
  const expiresAt = new Date(textIn(body.expiresAt))
  if (Number.isNaN(expiresAt.getTime())) throw new Error('not a preview')
  return {
    expiresAt,
    token: textIn(body.token) || undefined,
    preview: textIn(body.preview),
    studioUrl: /^https?:/.test(textIn(body.studioUrl)) ? textIn(body.studioUrl) : undefined,
    release: textIn(body.release) || undefined,
    site: {
      id: textIn(id),
      name: textIn(name),
      asksForReview: asksForReview !== false,
      reasons: textsIn(reasons),
    },
    config: {...parseConfig(JSON.stringify(body.config), tag), pollInterval: POLL_INTERVAL},
    modules: new Map(Object.entries(membersOf(body.modules)).map(([tool, url]) => [tool, textIn(url)])),
    tools: recordsIn(body.tools).map((tool) => ({
      id: textIn(tool.id),
      type: textIn(tool.type),
      name: textIn(tool.name),
      state: textIn(tool.state),
      author: textIn(tool.author),
      mayBePublished: tool.mayBePublished === true,
      changes: tool.changes === true,
      members: textsIn(tool.members),
      isOffered: tool.isOffered === true,
      title: textIn(tool.title),
      reasons: textsIn(tool.reasons),
      advice: recordsIn(tool.advice).map(({severity, message, line}) => ({
        severity: textIn(severity),
        message: textIn(message),
        line: typeof line === 'number' ? line : undefined,
      })),
      tests: recordsIn(tool.tests),
      testsProblem: textIn(tool.testsProblem),
    })),
  }
}

/** The message of an error of the service; empty if there is none. */
export function messageIn(text: string): string {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {}
  return textIn(membersOf(membersOf(body).error).message)
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textIn).filter(Boolean) : []
}

function recordsIn(value: unknown): Members[] {
  return Array.isArray(value) ? value.map(membersOf) : []
}
