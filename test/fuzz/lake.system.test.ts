import {createHmac} from 'node:crypto'
import {type TestContext, test} from 'node:test'
import fc from 'fast-check'
import {everywhere} from '../../lake/access/rights/rights.ts'
import {randomDataset} from '../lake/query/random.ts'
import {temporaryFolder, testRepository} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'
import {accountsIn, signInByLink, stateFolderOf} from '../lake/support/signIn.ts'
import {type ContentDocument, createContentRepository} from '../support/content.ts'
import {fuzz, isLakeError, type Target} from './fuzz.ts'
import {lakeRequest} from './generators/lakeRequests.ts'

const GIT_SECRET = 'a-secret-that-the-git-host-knows'

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
    bearer(await accounts.tokens.add('viewer', everywhere('viewer'))),
    bearer(await accounts.tokens.add('editor', everywhere('publisher'))),
  ]
  const lake = await runLakeOver(t, repository, {
    gitWebhookSecrets: [GIT_SECRET],
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
