import assert from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {everywhere, includes, type Rights} from '../../../../lake/access/rights/rights.ts'
import {REVIEW_RULES} from '../../../../schemas/review.ts'
import {SITE_RULES} from '../../../../schemas/siteRules.ts'
import {UNIQUE_RULES} from '../../../../schemas/unique.ts'
import {temporaryFolder} from '../../support/git.ts'
import {type RunningLake, runLake} from '../../support/lake.ts'
import {mutate} from '../../support/mutate.ts'
import {accountsIn} from '../../support/signIn.ts'
import {
  idsOf,
  type Need,
  type Operation,
  operationsAcross,
  operationsOn,
  releaseWith,
  SWITCH_OFF,
  siteDocument,
  tool,
} from './operations.ts'

/** The last site asks for a review of every change. */
const [OWN, OTHER, PROTECTED] = ['shop', 'blog', 'bank'] as const

const RIGHTS: Readonly<Record<string, Rights>> = {
  'no rights': [],
  viewer: everywhere('viewer'),
  'author of one site': [{role: 'author', sites: [OWN]}],
  'author of two sites': [{role: 'author', sites: [OWN, OTHER]}],
  author: everywhere('author'),
  'publisher of one site': [{role: 'publisher', sites: [OWN]}],
  'publisher of one site, author of another': [
    {role: 'publisher', sites: [OWN]},
    {role: 'author', sites: [OTHER]},
  ],
  'publisher of one site, viewer of all': [...everywhere('viewer'), {role: 'publisher', sites: [OWN]}],
  'administrator of one site': [{role: 'administrator', sites: [OWN]}],
  publisher: everywhere('publisher'),
  administrator: everywhere('administrator'),
}

/** What the roles mean, said a second time. */
function isAllowed(rights: Rights, {change, sites}: Need): boolean {
  const least = change === 'draft' ? 'author' : 'publisher'
  const able = rights.filter(({role}) => includes(role, least)).map((right) => right.sites)
  if (able.includes('all')) return true
  return sites !== 'all' && sites.every((site) => able.some((own) => own.includes(site)))
}

/** A lake with documents of three sites in every state. */
async function startLake(t: TestContext): Promise<RunningLake> {
  const sites = [OWN, OTHER, PROTECTED]
  const files = sites.flatMap((site) => {
    const {published, both, deleted} = idsOf(site)
    const isProtected = site === PROTECTED
    return [
      [`site/${site}.json`, {...siteDocument(site), ...(isProtected && {review: 'all'})}],
      ...[published, both, ...(isProtected ? [] : [deleted])].map((id) => [
        `tool/${id}.json`,
        tool(site, id),
      ]),
    ]
  })
  const studioDir = join(await temporaryFolder(t), 'studio')
  const lake = await runLake(t, Object.fromEntries(files), {
    siteRules: SITE_RULES,
    uniqueRules: UNIQUE_RULES,
    reviewRules: REVIEW_RULES,
    studioDir,
  })
  const drafted = sites.flatMap((site) => [idsOf(site).both, idsOf(site).draft].map((id) => ({site, id})))
  const prepared = await mutate(lake.address, [
    ...drafted.map(({site, id}) => ({create: tool(site, `drafts.${id}`, 'drafted')})),
    ...[OWN, OTHER].map((site) => ({delete: {id: idsOf(site).deleted}})),
  ])
  assert.equal(prepared.status, 200, prepared.text)
  const {client} = lake
  const act = (...actions: object[]) =>
    client.request({method: 'POST', url: '/data/actions/production', body: {actions}})
  await act({actionType: 'sanity.action.release.create', releaseId: 'r'})
  await act(...releaseWith('done', [OWN, OTHER]))
  await client.releases.publish({releaseId: 'done'})
  for (const name of ['open', 'locked', 'shelved']) await act(...releaseWith(name, [OWN, OTHER]))
  await client.releases.archive({releaseId: 'shelved'})
  await client.releases.schedule({releaseId: 'locked', publishAt: '2126-01-01T00:00:00Z'})
  return lake
}

async function send(lake: RunningLake, token: string, {path, steps}: Pick<Operation, 'path' | 'steps'>) {
  const body = path === 'mutate' ? {mutations: steps} : {actions: steps, dryRun: true}
  const response = await fetch(`${lake.address}/v2025-02-19/data/${path}/production?dryRun=true`, {
    method: 'POST',
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
    body: JSON.stringify(body),
  })
  return {status: response.status, text: await response.text()}
}

test('rights of documents', async (t) => {
  const lake = await startLake(t)
  const accounts = accountsIn(lake.stateFolder)
  const email = 'grace@example.com'
  await accounts.addEditor({name: 'Grace', email, rights: [{role: 'administrator', sites: [OWN]}]})
  const tokens = new Map<string, string>()
  for (const [name, rights] of Object.entries(RIGHTS))
    tokens.set(name, await accounts.tokens.add(name, rights))
  const operations = [
    ...[OWN, OTHER, PROTECTED].flatMap((site) =>
      operationsOn(site).map((one) => ({
        ...one,
        name: `${site}: ${one.name}`,
        isProtected: site === PROTECTED,
      })),
    ),
    ...[...operationsAcross(OWN, OTHER), ...operationsAcross(OTHER, OWN)].map((one) => ({
      ...one,
      isProtected: false,
    })),
  ]

  for (const [name, token] of tokens) {
    await t.test(`${name}: changes`, async () => {
      const rights = RIGHTS[name] ?? []
      for (const operation of operations) {
        const {status, text} = await send(lake, token, operation)
        const {need, isProtected} = operation
        const isReviewed = isProtected && !operation.name.endsWith(SWITCH_OFF)
        const needsReview = isReviewed && need.change === 'published' && isAllowed(rights, need)
        const expected = isAllowed(rights, need) && !needsReview ? 200 : 403
        assert.equal(status, expected, `${operation.name}: ${text}`)
        if (expected === 200) continue
        if (needsReview) assert.match(text, /asks for a review of this change/, operation.name)
        else if (rights.some(({role}) => role !== 'viewer')) {
          assert.match(
            text,
            /You may not (publish|change|discard|unpublish|schedule|request) .*Your rights: .*\. Ask /,
          )
          assert.equal(JSON.parse(text).error.items[0].error.type, 'insufficientPermissionsError')
        } else assert.match(text, /permission \\"write\\" required/)
      }
    })
  }

  await t.test('a refusal names an administrator of the site, if there is one', async () => {
    const author = tokens.get('author of two sites') ?? ''
    const publish = (site: string) => ({
      name: 'publish',
      path: 'mutate' as const,
      steps: [{patch: {id: idsOf(site).published, set: {name: 'x'}}}],
      need: {change: 'published' as const, sites: [site]},
    })
    const own = await send(lake, author, publish(OWN))
    assert.match(own.text, /You may not publish tool \\"x\\"\. Your rights: author of shop, blog\. /)
    assert.match(own.text, /Ask an administrator: Grace \(grace@example.com\)\./)
    assert.match((await send(lake, author, publish(OTHER))).text, /Ask the operator of this lake\./)
  })

  await t.test('only an administrator publishes on a protected site without a review', async () => {
    const id = idsOf(PROTECTED).both
    const steps = [
      {actionType: 'handrail.action.review.skip', reason: 'the shop is down'},
      {actionType: 'sanity.action.document.publish', draftId: `drafts.${id}`, publishedId: id},
    ]
    for (const [name, token] of tokens) {
      const {status, text} = await send(lake, token, {path: 'actions', steps})
      assert.equal(status, name === 'administrator' ? 200 : 403, `${name}: ${text}`)
    }
  })
})
