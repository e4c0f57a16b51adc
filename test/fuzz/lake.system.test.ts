import assert from 'node:assert/strict'
import {createHmac} from 'node:crypto'
import {type TestContext, test} from 'node:test'
import fc from 'fast-check'
import {everywhere} from '../../lake/access/rights/rights.ts'
import {randomDataset} from '../lake/query/random.ts'
import {temporaryFolder, testRepository} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'
import {accountsIn, signInByLink, stateFolderOf} from '../lake/support/signIn.ts'
import {type ContentDocument, createContentRepository} from '../support/content.ts'
import {type FuzzResponse, fuzz, isLakeError, type Target} from './fuzz.ts'
import {lakeRequest, strangersDataRequest} from './generators/lakeRequests.ts'
import type {FuzzRequest} from './generators/parts.ts'

const GIT_SECRET = 'a secret that the Git host knows'

/** Documents whose texts, numbers and references queries can go through for long. */
const posts: ContentDocument[] = Array.from({length: 150}, (_, number) => ({
  _id: `fuzz-post-${number}`,
  _type: 'fuzz',
  n: number % 7,
  name: `x${number}`,
  text: `${'a'.repeat(400)} ${number} ${'b c '.repeat(50)}`,
  ref: {_type: 'reference', _ref: `fuzz-post-${(number * 7) % 150}`},
  list: Array.from({length: 5}, (_, n) => ({_key: `k${n}`, n})),
}))

async function startTarget(t: TestContext): Promise<Omit<Target, 'requests'>> {
  const [random = []] = fc.sample(randomDataset, {seed: 1, numRuns: 1})
  const {dir, dispose} = await createContentRepository([...random, ...posts])
  t.after(dispose)
  const repository = testRepository(dir)
  const accounts = accountsIn(stateFolderOf(repository))
  const editor = await accounts.addEditor({
    email: 'ada@example.com',
    name: 'Ada',
    rights: everywhere('publisher'),
  })
  const bearer = (token: string) => ({authorization: `Bearer ${token}`})
  const [viewer, publisher] = [
    bearer(await accounts.addToken('viewer', everywhere('viewer'))),
    bearer(await accounts.addToken('editor', everywhere('publisher'))),
  ]
  const lake = await runLakeOver(t, repository, {
    gitWebhookSecret: GIT_SECRET,
    studioDir: await temporaryFolder(t),
    trustedProxies: ['loopback'],
  })
  const cookie = await signInByLink(lake, editor.id)
  return {
    address: lake.address,
    lines: lake.warnings,
    isError: isLakeError,
    async credentials(role, body) {
      if (role === 'viewer') return viewer
      if (role === 'editor') return publisher
      if (role === 'session') return {cookie, origin: lake.address, 'sec-fetch-site': 'same-origin'}
      const signature = createHmac('sha256', GIT_SECRET).update(body).digest('hex')
      return role === 'gitHost'
        ? {'x-hub-signature-256': `sha256=${signature}`, 'x-github-event': 'push'}
        : {}
    },
  }
}

test('no request of a stranger, viewer or editor crashes, blocks or corrupts a lake', async (t) => {
  await fuzz({...(await startTarget(t)), requests: lakeRequest}, {seed: 20_260_101, batches: 250})
})

/** Statuses of a request that is refused before anything is known of it, or that is none of a data route. */
const REFUSALS = [400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 426, 429, 431, 503]

/** A preflight, and the page of Studio for every URL without a route, say nothing of the data. */
function judgeRefused({method}: FuzzRequest, {status, headers, body}: FuzzResponse): void {
  const isOpen = method === 'OPTIONS' || headers['content-type']?.startsWith('text/html')
  assert.ok(isOpen || REFUSALS.includes(status), `a lake gave a stranger ${status}: ${body.subarray(0, 300)}`)
}

test('a lake returns no data to strangers, for any request', async (t) => {
  const target = {...(await startTarget(t)), requests: strangersDataRequest, judge: judgeRefused}
  await fuzz(target, {seed: 20_260_101, batches: 100})
})
