import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isDeepStrictEqual} from 'node:util'
import {schemaType} from '@sanity/preview-url-secret/constants'
import fc from 'fast-check'
import {isJsonObject, type JsonObject} from '../../../../common/json.ts'
import {
  describeRights,
  everywhere,
  includes,
  type Rights,
  type Role,
} from '../../../../lake/access/rights/rights.ts'
import {previewSourceOf} from '../../../../schemas/preview.ts'
import {SITE_RULES} from '../../../../schemas/siteRules.ts'
import {runs} from '../../../runner/runs.ts'
import {token} from '../../support/app.ts'
import {type RunningLake, runLake} from '../../support/lake.ts'
import {accountsIn} from '../../support/signIn.ts'
import {publicIdOf, siteDocument, tool} from './operations.ts'

const SEED = 20_261_122
const TRANSACTIONS = runs(500)

/** Transactions after which the content is as at first, since many of them delete much of it. */
const RESET_EVERY = 15

const SITES = ['shop', 'blog'] as const

const RIGHTS: readonly Rights[] = [
  [{role: 'author', sites: ['shop']}],
  [{role: 'publisher', sites: ['shop']}],
  [
    {role: 'publisher', sites: ['shop']},
    {role: 'author', sites: ['blog']},
  ],
  [{role: 'administrator', sites: ['blog']}],
  everywhere('author'),
  // Leads to states in which the others may try something.
  everywhere('publisher'),
]

const ids = ['shop', 'blog', 'a', 'a', 'b', 'c', 'private.d']
const publishedId = fc.constantFrom(...ids)
const draftId = publishedId.map((id) => `drafts.${id}`)
const anyId = fc.oneof(publishedId, draftId, fc.constantFrom('versions.r.a', 'drafts.'))
const site = fc.oneof(
  fc.constantFrom(...SITES).map((_ref): unknown => ({_ref, _weak: true})),
  fc.constantFrom<unknown>(undefined, 'shop', [{_ref: 'shop', _weak: true}], {inner: {_ref: 'shop'}}),
)
const content = fc.record(
  {
    _type: fc.constantFrom('tool', 'tool', 'tool', 'formTool', 'site', schemaType),
    site,
    publicId: fc.constantFrom('shop-public', 'blog-public', 'other'),
    source: fc.constantFrom(...SITES.map((one) => previewSourceOf(publicIdOf(one)))),
    name: fc.constantFrom('search', 'order', 'pay'),
    enabled: fc.boolean(),
  },
  {requiredKeys: ['_type', 'site']},
)
const selection = fc.oneof(
  anyId.map((id) => ({id})),
  fc
    .constantFrom(
      '*',
      '*[_type == "tool"]',
      '*[site._ref == "shop"]',
      '*[_id in path("drafts.**")]',
      '*[_type == "site"]',
    )
    .map((query) => ({query})),
)
const patch = fc.oneof(
  content.map(({_type: _, ...set}) => ({set})),
  fc.constantFrom(
    {unset: ['site']},
    {unset: ['publicId']},
    {set: {'site._ref': 'blog'}},
    {set: {_type: 'site'}},
  ),
)
const mutation = fc.oneof(
  draftId.chain((_id) => fc.constantFrom(...SITES).map((one) => ({createOrReplace: tool(one, _id)}))),
  fc
    .tuple(
      fc.constantFrom('create', 'createOrReplace', 'createOrReplace', 'createIfNotExists'),
      anyId,
      content,
    )
    .map(([kind, _id, members]) => ({[kind]: {...members, _id}})),
  fc.tuple(selection, patch).map(([select, change]) => ({patch: {...select, ...change}})),
  selection.map((select) => ({delete: select})),
)
const action = fc
  .tuple(
    fc.constantFrom(
      'edit',
      'edit',
      'publish',
      'publish',
      'unpublish',
      'discard',
      'replaceDraft',
      'delete',
      'version.create',
      'version.replace',
    ),
    publishedId,
    content,
    patch,
  )
  .map(([kind, id, members, change]) => {
    const pair = {draftId: `drafts.${id}`, publishedId: id}
    const document = {...members, _id: `drafts.${id}`}
    const versioned = {
      versionId: pair.draftId,
      baseId: id,
      document: kind === 'version.replace' ? document : undefined,
    }
    return {
      actionType: `sanity.action.document.${kind}`,
      ...pair,
      ...versioned,
      attributes: document,
      patch: change,
    }
  })
const transaction = fc.oneof(
  fc.array(mutation, {minLength: 1, maxLength: 3}).map((mutations) => ({mutations})),
  fc.array(action, {minLength: 1, maxLength: 3}).map((actions) => ({actions})),
)
const attempt = fc.tuple(fc.nat(RIGHTS.length - 1), transaction)

type Content = ReadonlyMap<string, JsonObject>

async function contentOf({address}: RunningLake): Promise<Content> {
  const headers = {authorization: `Bearer ${token}`}
  const response = await fetch(`${address}/v1/data/query/production?query=*`, {headers})
  const {result}: {result: JsonObject[]} = JSON.parse(await response.text())
  return new Map(result.map((document) => [String(document._id), document]))
}

function without(document: JsonObject | undefined): unknown {
  if (document === undefined) return undefined
  const {_rev, _updatedAt, _createdAt, ...rest} = document
  return rest
}

/** The site of a document in a state of the content; undefined for none, or one that is not clear. */
function siteOf(document: JsonObject, content: Content): string | undefined {
  const id = String(document._id).replace(/^drafts\./, '')
  if (document._type === 'site') return id
  if (document._type === schemaType)
    return SITES.find(
      (one) =>
        document.source === previewSourceOf(String(content.get(one)?.publicId)) &&
        content.get(one)?._type === 'site',
    )
  if (document._type !== 'tool' && document._type !== 'formTool') return undefined
  return isJsonObject(document.site) && typeof document.site._ref === 'string'
    ? document.site._ref
    : undefined
}

function has(rights: Rights, role: Role, site: string | undefined): boolean {
  return rights.some(
    (right) =>
      includes(right.role, role) &&
      (right.sites === 'all' || (site !== undefined && right.sites.includes(site))),
  )
}

/** What the service returns for a public ID: see `service/upstream/queries.ts`. */
function served(publicId: string, content: Content): unknown {
  const published = [...content.values()].filter(({_id}) => /^(?!drafts\.|versions\.)/.test(String(_id)))
  const key = ({_createdAt, _id}: JsonObject) => `${_createdAt} ${_id}`
  const [site] = published
    .filter((one) => one._type === 'site' && one.publicId === publicId)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
  if (site === undefined) return undefined
  const isOf = ({_type, site: reference}: JsonObject) =>
    ['tool', 'formTool'].includes(String(_type)) && isJsonObject(reference) && reference._ref === site._id
  return [site, ...published.filter(isOf)].map(without)
}

/** Why rights do not allow a change of the content; undefined if they do. */
function violation(rights: Rights, before: Content, after: Content): string | undefined {
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const states = [before.get(id), after.get(id)]
    if (JSON.stringify(without(states[0])) === JSON.stringify(without(states[1]))) continue
    const role = id.startsWith('drafts.') ? 'author' : 'publisher'
    for (const state of states.filter((one) => one !== undefined))
      if (!has(rights, role, siteOf(state, before)))
        return `${role} of ${siteOf(state, before)} changed ${id}`
    const base = before.get(id.replace(/^drafts\./, ''))
    if (base !== undefined && !has(rights, 'author', siteOf(base, before))) return `draft over ${id}`
  }
  for (const site of SITES) {
    if (has(rights, 'publisher', site)) continue
    const isSame =
      JSON.stringify(served(publicIdOf(site), before)) === JSON.stringify(served(publicIdOf(site), after))
    if (!isSame) return `pages of ${site} changed`
  }
  return undefined
}

const reset = {
  mutations: [
    {delete: {query: '*'}},
    ...SITES.map((one) => ({create: siteDocument(one)})),
    ...[
      tool('shop', 'a'),
      tool('blog', 'b'),
      tool('shop', 'drafts.a', 'order'),
      tool('shop', 'drafts.c'),
    ].map((create) => ({create})),
  ],
}

test('no sequence of transactions changes what the rights of their authors do not allow', async (t) => {
  const lake = await runLake(t, {}, {siteRules: SITE_RULES})
  const accounts = accountsIn(lake.stateFolder)
  const tokens: string[] = []
  for (const [index, rights] of RIGHTS.entries())
    tokens.push(await accounts.tokens.add(`program ${index}`, rights))
  const publisher = RIGHTS.length - 1
  const post = async (who: number, body: object) => {
    const response = await fetch(
      `${lake.address}/v2025-02-19/data/${'mutations' in body ? 'mutate' : 'actions'}/production`,
      {
        method: 'POST',
        headers: {authorization: `Bearer ${tokens[who]}`, 'content-type': 'application/json'},
        body: JSON.stringify(body),
      },
    )
    return {status: response.status, text: await response.text()}
  }

  const counts = RIGHTS.map(() => ({accepted: 0, refused: 0}))
  let content: Content = new Map()
  for (const [number, [who, body]] of fc.sample(attempt, {seed: SEED, numRuns: TRANSACTIONS}).entries()) {
    if (number % RESET_EVERY === 0) {
      assert.equal((await post(publisher, reset)).status, 200)
      content = await contentOf(lake)
    }
    const {status, text} = await post(who, body)
    const after = await contentOf(lake)
    const rights = RIGHTS[who] ?? []
    const told = `transaction ${number} by ${describeRights(rights)}: ${JSON.stringify(body)}: ${text}`
    if (status === 200) assert.equal(violation(rights, content, after), undefined, told)
    else {
      assert.ok([400, 403, 409].includes(status), told)
      assert.deepEqual(after, content, told)
    }
    const count = counts[who]
    if (count !== undefined && status === 403) count.refused += 1
    if (count !== undefined && status === 200 && !isDeepStrictEqual(after, content)) count.accepted += 1
    content = after
  }
  t.diagnostic(JSON.stringify(counts))
  for (const [who, {accepted, refused}] of counts.entries()) {
    assert.ok(accepted > 0, `accepted of ${who}`)
    assert.ok(refused > 1 || who === publisher, `refused of ${who}`)
  }
})
