import {useMemo} from 'react'
import {isRecord} from '../../schemas/record.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'
import {useSend} from '../live/useSend.ts'

/** A browser in which somebody is signed in. Times are in ISO 8601. */
type Session = {id: string; since: string; lastUsed: string; browser: string}

/** The editor who uses Studio: `GET /access/me`. */
export type Me = {
  id: string
  email: string
  rights: readonly Right[]
  /** The rights in words: "author of Harbour Supply". */
  rightsText: string
  mayAdminister: boolean
  mayAudit: boolean
  password: {
    /** Whether this person can sign in with a password at all. */
    isOffered: boolean
    isSet?: boolean
    /** Whether a new one can be set without the current one, because the session just began with a sign-in link. */
    mayReset?: boolean
  }
  sessions: readonly (Session & {isCurrent: boolean})[]
  /** Whom to ask for more rights. */
  administrators: readonly {name: string; email: string}[]
  /** Other people who may publish, on some site at least. */
  publishers: readonly {name: string; rights: readonly Right[]}[]
}

export type Token = {
  id: string
  name: string
  rights: readonly Right[]
  /** Whether the administrator who asks has all of these rights. */
  mayManage: boolean
}

export type Person = Token & {
  email: string
  /** Whether they were invited and have not signed in yet. */
  isInvited: boolean
  /** Whether an identity provider decides on roles and signing in. */
  usesSingleSignOn: boolean
  sessions: readonly Session[]
}

/** `GET /access/people` */
export type People = {editors: readonly Person[]; tokens: readonly Token[]}

export function byName(a: Token, b: Token): number {
  return a.name.localeCompare(b.name)
}

/**
 * Loads something from the lake's routes for people and rights. What was loaded stays until the next result.
 * @param path below `/access`; undefined loads nothing
 */
export function useAccess<T>(path: string | undefined) {
  const client = useContent()
  const ask = useMemo(() => {
    if (path === undefined) return undefined
    const request = {url: `/access${path}`, tag: 'handrail.people'}
    return (signal: AbortSignal) => client.request<T>({...request, signal}).catch(failWithWords)
  }, [client, path])
  return useAnswer(ask, {subject: 'access'})
}

export type Send = <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<T>

/** A function that changes people, rights, sessions or tokens. It throws an Error with a message for people. */
export function useAccessSend(): Send {
  const client = useContent()
  return useMemo(
    () =>
      <T>(method: string, path: string, body?: unknown) =>
        client.request<T>({method, url: `/access${path}`, body, tag: 'handrail.people'}).catch(failWithWords),
    [client],
  )
}

/**
 * Changes something with one click, says whether that worked, and loads the list again.
 * @param reload loads what changed
 */
export function useChange(reload: () => void) {
  const send = useAccessSend()
  const {run, isBusy} = useSend()
  const change = (method: Parameters<Send>[0], path: string, done: string) => {
    void run(done, () => send(method, path)).then(reload)
  }
  return {change, isBusy}
}

/** With the lake's own message, without the name of the status that the client puts before it. */
function failWithWords(error: unknown): never {
  const response = isRecord(error) ? error.response : undefined
  const body = isRecord(response) ? response.body : undefined
  throw isRecord(body) && typeof body.message === 'string' ? new Error(body.message) : error
}

/** The roles of a lake, the least powerful first. */
export const ROLES = ['reporter', 'viewer', 'author', 'publisher', 'administrator'] as const

export type Role = (typeof ROLES)[number]

/** A role for all sites, or for those with these ids. */
export type Right = {role: Role; sites: 'all' | readonly string[]}

export const ROLE_TITLES: Readonly<Record<Role, string>> = {
  reporter: 'Reporter',
  viewer: 'Viewer',
  author: 'Author',
  publisher: 'Publisher',
  administrator: 'Administrator',
}

export const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  reporter: 'sends the results of automatic tests, and reads nothing',
  viewer: 'sees everything, and changes nothing',
  author: 'edits drafts, and cannot publish them',
  publisher: 'edits and publishes',
  administrator: 'edits, publishes and manages people',
}

export type Site = {id: string; name: string}

/** Rights as a text such as "Author of Books, Viewer of all sites". */
export function rightsText(rights: readonly Right[], sites: readonly Site[]): string {
  const nameOf = (id: string) => sites.find((site) => site.id === id)?.name ?? id
  const texts = rights.map(
    ({role, sites: ids}) =>
      `${ROLE_TITLES[role]} of ${ids === 'all' ? 'all sites' : ids.map(nameOf).join(' and ')}`,
  )
  return texts.length === 0 ? 'No role' : texts.join(', ')
}

/** Whether rights allow what a role allows, on a site. Undefined: on all sites. */
export function allows(rights: readonly Right[], role: Role, siteId: string | undefined): boolean {
  return rights.some(
    (right) =>
      ROLES.indexOf(right.role) >= ROLES.indexOf(role) &&
      (right.sites === 'all' || (siteId !== undefined && right.sites.includes(siteId))),
  )
}

/** At most five names in a sentence, such as "Ada, Bob or Eve". */
export function listNames(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', {type: 'disjunction'}).format(names.slice(0, 5))
}

/** The ids of the sites that an administrator manages. */
export function managedSites(rights: readonly Right[]): 'all' | readonly string[] {
  const managed = rights.filter(({role}) => role === 'administrator').map(({sites}) => sites)
  return managed.includes('all') ? 'all' : managed.flat()
}

/** Whether a right is within the sites that an administrator manages. */
export function isManaged({sites}: Right, managed: 'all' | readonly string[]): boolean {
  return managed === 'all' || (sites !== 'all' && sites.every((id) => managed.includes(id)))
}
