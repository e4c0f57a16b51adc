import type {PreviewedTool} from '../schemas/preview.ts'
import {isRecord, jsonIn} from '../schemas/record.ts'
import {type Config, parseConfig} from '../snippet/config.ts'
import {membersOf} from '../snippet/members.ts'

/** What the service says about the drafts of a site, for one path. */
export type Drafts = {
  readonly expiresAt: Date
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
  readonly tools: readonly PreviewedTool[]
}

/** Seconds between two requests for drafts. */
const POLL_INTERVAL = 1

/** The response of the service. */
type Body = Omit<Drafts, 'expiresAt' | 'config' | 'modules'> & {
  readonly expiresAt: string
  readonly config: object
  readonly modules: Readonly<Record<string, string>>
}

function isBody(answer: unknown): answer is Body {
  if (!isRecord(answer)) return false
  const {expiresAt, config, modules, site, tools} = answer
  const isWhole = [config, modules, site].every(isRecord) && Array.isArray(tools)
  return isWhole && typeof expiresAt === 'string'
}

/** @throws if the text is not such a response. */
export function parseDrafts(text: string, tag: string | null): Drafts {
  const answer = jsonIn(text)
  if (!isBody(answer)) throw new Error('The service sent no drafts')
  const {expiresAt, config, modules, ...body} = answer
  return {
    ...body,
    expiresAt: new Date(expiresAt),
    config: {...parseConfig(JSON.stringify(config), tag), pollInterval: POLL_INTERVAL},
    modules: new Map(Object.entries(modules)),
  }
}

/** The message of an error of the service; empty if there is none. */
export function messageIn(text: string): string {
  const {message} = membersOf(membersOf(jsonIn(text)).error)
  return typeof message === 'string' ? message : ''
}
