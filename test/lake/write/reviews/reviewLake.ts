import assert from 'node:assert/strict'
import type {TestContext} from 'node:test'
import {isJsonObject, type JsonObject} from '../../../../common/json.ts'
import {everywhere, type Role} from '../../../../lake/access/rights/rights.ts'
import type {LakeSettings} from '../../../../lake/lakeSettings.ts'
import {REVIEW_RULES} from '../../../../schemas/review.ts'
import {SITE_RULES} from '../../../../schemas/siteRules.ts'
import {UNIQUE_RULES} from '../../../../schemas/unique.ts'
import {token} from '../../support/app.ts'
import {type TestRepository, temporaryRepository} from '../../support/git.ts'
import {type RunningLake, runLakeOver} from '../../support/lake.ts'
import {accountsIn, signInByLink, stateFolderOf} from '../../support/signIn.ts'

/** What the lake returned. */
export type Outcome = {readonly status: number; readonly body: JsonObject; readonly text: string}

/** A person who is signed in. */
type Person = {
  send(path: 'actions' | 'mutate', body: object): Promise<Outcome>
  actions(...actions: readonly object[]): Promise<Outcome>
  /** Does actions that are not refused. */
  did(...actions: readonly object[]): Promise<void>
  mutate(...mutations: readonly object[]): Promise<Outcome>
  /** Edits a draft and returns its revision. */
  edit(id: string, set: object): Promise<string>
  /** Requests a review of a draft. */
  request(id: string, revision: string): Promise<Outcome>
  /** Publishes a draft as it is at a revision, and approves the review of that. */
  publish(id: string, revision?: string): Promise<Outcome>
}

export type People = Record<'author' | 'writer' | 'publisher' | 'administrator' | 'program', Person>

const site = (id: string, review?: string) => ({
  _id: id,
  _type: 'site',
  name: id,
  publicId: `${id}-public`,
  ...(review && {review}),
})

/** A tool of a site. */
export const toolOn = (siteId: string, fields: object = {}) => ({
  _type: 'tool',
  name: 'search',
  executeJs: 'return 1',
  pathPattern: '/**',
  site: {_type: 'reference', _ref: siteId},
  ...fields,
})

const ACTION = 'sanity.action.document.'

/** The two ids of a document, as actions need them. */
export const pair = (id: string) => ({draftId: `drafts.${id}`, publishedId: id})

/** A lake with a site for each setting of reviews, each with a tool, and people of every role. */
export async function runReviewLake(
  t: TestContext,
  settingsFor: (repository: TestRepository) => Promise<Partial<LakeSettings>> = async () => ({}),
): Promise<{
  lake: RunningLake
  people: People
  repository: TestRepository
  /** @param between is called while no lake runs */
  restart(between?: () => Promise<void>): Promise<{lake: RunningLake; people: People}>
}> {
  const repository = await temporaryRepository(t)
  await repository.commit(
    {
      'site/free.json': site('free'),
      'site/code.json': site('code', 'scripts'),
      'site/all.json': site('all', 'all'),
      'site/tests.json': site('tests', 'tests'),
      'tool/free-tool.json': {_id: 'free-tool', ...toolOn('free')},
      'tool/code-tool.json': {_id: 'code-tool', ...toolOn('code')},
      'tool/all-tool.json': {_id: 'all-tool', ...toolOn('all')},
      'tool/tests-tool.json': {
        _id: 'tests-tool',
        ...toolOn('tests', {enabled: true, tests: [{_key: 'a', title: 'Works', page: '/'}]}),
      },
    },
    1_000,
  )
  const given = await settingsFor(repository)
  const stateFolder = stateFolderOf(repository)
  const accounts = accountsIn(stateFolder)
  const roles: [string, Role][] = [
    ['author', 'author'],
    ['writer', 'publisher'],
    ['publisher', 'publisher'],
    ['administrator', 'administrator'],
  ]
  const ids = new Map<string, string>()
  for (const [name, role] of roles) {
    const rights = everywhere(role)
    const {id} = await accounts.addEditor({name: `${name} Name`, email: `${name}@example.com`, rights})
    ids.set(name, id)
  }
  const start = async () => {
    const settings = {
      ...given,
      reviewRules: REVIEW_RULES,
      siteRules: SITE_RULES,
      uniqueRules: UNIQUE_RULES,
    }
    const lake = await runLakeOver(t, repository, settings)
    const address = lake.address.replace('127.0.0.1', 'localhost')
    const personOf = async (name: string) => {
      const cookie = await signInByLink({address, stateFolder}, ids.get(name) ?? '')
      return person(address, {cookie, origin: address})
    }
    return {
      lake,
      people: {
        author: await personOf('author'),
        writer: await personOf('writer'),
        publisher: await personOf('publisher'),
        administrator: await personOf('administrator'),
        program: person(address, {authorization: `Bearer ${token}`}),
      },
    }
  }
  const first = await start()
  let running = first
  const restart = async (between = async () => {}) => {
    await running.lake.close()
    await between()
    running = await start()
    return running
  }
  return {...first, repository, restart}
}

/** A person who is signed in, or a program. */
export function person(address: string, headers: Record<string, string>): Person {
  const send = async (path: 'actions' | 'mutate', body: object): Promise<Outcome> => {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {'content-type': 'application/json', ...headers},
    }
    const response = await fetch(`${address}/v2025-02-19/data/${path}/production`, init)
    const text = await response.text()
    const parsed: unknown = JSON.parse(text)
    return {status: response.status, body: isJsonObject(parsed) ? parsed : {}, text}
  }
  const actions = (...list: readonly object[]) => send('actions', {actions: list})
  return {
    send,
    actions,
    did: async (...list) => assertDone(await actions(...list)),
    mutate: (...mutations) => send('mutate', {mutations}),
    edit: async (id, set) => {
      const edit = {actionType: `${ACTION}edit`, ...pair(id), patch: {set}}
      const {status, body, text} = await actions(edit)
      if (status !== 200 || typeof body.transactionId !== 'string') throw new Error(text)
      return body.transactionId
    },
    request: (id, revision) =>
      actions({
        actionType: 'handrail.action.review.request',
        publishedId: id,
        ifDraftRevisionId: revision,
        text: 'Please',
      }),
    publish: async (id, revision) => {
      const ifReviewed = revision && (await reviewedContent(address, headers, id, revision))
      const expected = {...(revision && {ifDraftRevisionId: revision}), ...(ifReviewed && {ifReviewed})}
      return actions({actionType: `${ACTION}publish`, ...pair(id), ...expected})
    },
  }
}

/** What a reviewer sees of a document or a release, as an approval names it. */
export const lookAt = async ({client}: RunningLake, id = '_.releases.rSale') => ({
  ifReviewed: await client.fetch<string | null>(
    '*[_type == "handrail.review" && document == $id][0].after',
    {id},
    {perspective: 'raw'},
  ),
})

/** What a reviewer saw of the draft at a revision: the digest that its review names. */
async function reviewedContent(
  address: string,
  headers: Record<string, string>,
  id: string,
  revision: string,
): Promise<string | undefined> {
  const query = `*[_type == "handrail.review" && document == "${id}" && draftRevision == "${revision}"][0].after`
  const url = `${address}/v2025-02-19/data/query/production?perspective=raw&query=${encodeURIComponent(query)}`
  const body: unknown = await (await fetch(url, {headers})).json()
  return isJsonObject(body) && typeof body.result === 'string' ? body.result : undefined
}

export function assertRefused({status, text}: Outcome, words: RegExp, expected = 403): void {
  assert.equal(status, expected, text)
  assert.match(text, words)
}

export function assertDone({status, text}: Outcome): void {
  assert.equal(status, 200, text)
}
