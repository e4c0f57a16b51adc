import {cp} from 'node:fs/promises'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {commitFiles} from '../cli/commitFiles.ts'
import {git} from '../git/process.ts'
import {send} from '../test/soak/api.ts'
import {LakeProcess} from '../test/soak/process.ts'
import {median, quantile, type Run, type Table, within} from './report.ts'
import {temporaryFolder} from './servers.ts'

const DOCUMENTS = 10_000

/** Limit for a publication, in milliseconds. */
const PUBLICATION_LIMIT = 60

const IDENTITY = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost']

/** Time for the background work after a publish to finish, in milliseconds. */
const rest = 300

const description = 'What an editor writes about a tool, in two or three sentences. '.repeat(5)

function tool(number: number) {
  return {_id: `tool-${number}`, _type: 'tool', name: `tool${number}`, description, enabled: true}
}

const pair = {draftId: 'drafts.tool-5000', publishedId: 'tool-5000'}
const publish = {actionType: 'sanity.action.document.publish', ...pair}

function edit(number: number) {
  const patch = {set: {description: `${description}${number}`}}
  return {actionType: 'sanity.action.document.edit', ...pair, patch}
}

/** Measures what an editor waits for: a keystroke and a publish, with many documents. */
export async function benchLake(run: Run) {
  run.show(
    timesTable(`${DOCUMENTS.toLocaleString('en-US')} documents in one folder`, await measureWrites(run)),
  )
  return {
    title: 'The lake',
    method: [
      'Milliseconds from a request to its response, one request after the other, from a client on the same machine.',
      'The baselines are measured in the same run: a request to `/healthz`, and the same commit by Git’s own commands.',
    ],
  }
}

async function measureWrites({quick, cleanup}: Run): Promise<Parameters<typeof timesTable>[1]> {
  const often = {times: quick ? 100 : 500, warmUp: 100}
  const seldom = {times: quick ? 20 : 50, warmUp: 5}
  const folder = await temporaryFolder({cleanup})
  const content = join(folder, 'content')
  const lake = await prepare(folder, content, DOCUMENTS)
  cleanup.defer(() => lake.kill(true))
  const address = await lake.address
  const act = async (action: object) => {
    const {status, body} = await send(address, 'actions', {actions: [action]})
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  const request = await measure('an HTTP request that does nothing', often, async () => {
    return async () => (await fetch(`${address}/healthz`)).text()
  })
  const keystroke = await measure('a keystroke', often, async (number) => () => act(edit(number)))
  const commit = await bareCommits(content, join(folder, 'clone'), seldom)
  const calm = await measure('a publication', seldom, async (number) => {
    await act(edit(number))
    await setTimeout(rest)
    return () => act(publish)
  })
  return [
    {samples: request},
    {samples: keystroke, baseline: request},
    {samples: commit},
    {samples: calm, baseline: commit, limit: PUBLICATION_LIMIT},
  ]
}

async function prepare(folder: string, content: string, documents: number): Promise<LakeProcess> {
  await git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', content])
  const tools = Array.from({length: documents}, (_, number) => tool(number))
  const files = [{_id: 'shop', _type: 'site'}, ...tools].map((document) => {
    return [`${document._type}/${document._id}.json`, JSON.stringify(document)] as const
  })
  const options = {parent: undefined, message: 'Add content\n', committer: 'Bench <bench@localhost> 0 +0000'}
  await git(content, ['update-ref', 'HEAD', await commitFiles(content, new Map(files), options)])
  return new LakeProcess({CONTENT_DIR: content})
}

/** Creates the same commit with Git's plumbing commands and a separate index. */
async function bareCommits(content: string, clone: string, often: Often): Promise<Samples> {
  await cp(content, clone, {recursive: true})
  const asked = async (args: readonly string[], input = '') => (await git(clone, args, {input})).trim()
  await asked(['read-tree', 'HEAD'])
  return measure('a commit by Git alone', often, async (number) => async () => {
    const text = JSON.stringify({...tool(5000), description: `${description}${number}`}, null, 2)
    const blob = await asked(['hash-object', '-w', '--stdin'], text)
    await asked(['update-index', '--cacheinfo', `100644,${blob},tool/tool-5000.json`])
    const tree = await asked(['write-tree'])
    const commit = await asked([...IDENTITY, 'commit-tree', tree, '-p', 'HEAD', '-m', 'Publish'])
    await asked([...IDENTITY, 'update-ref', 'HEAD', commit])
  })
}

/** Repeated measurements of the same operation, in milliseconds. */
type Samples = {readonly name: string; readonly times: readonly number[]}

/** Number of measurements, and of warm-up runs before them. */
type Often = {readonly times: number; readonly warmUp: number}

/** Measures `work`. The first runs warm up and are not counted. */
async function measure(
  name: string,
  {times, warmUp}: Often,
  work: (number: number) => Promise<(() => Promise<unknown>) | undefined>,
): Promise<Samples> {
  const samples: number[] = []
  for (let number = 0; number < warmUp + times; number += 1) {
    const timed = await work(number)
    const started = performance.now()
    await timed?.()
    if (number >= warmUp) samples.push(performance.now() - started)
  }
  return {name, times: samples}
}

/** Creates a table of medians and 99th percentiles, compared with a baseline from the same run. */
function timesTable(
  title: string,
  rows: readonly {readonly samples: Samples; readonly baseline?: Samples; readonly limit?: number}[],
): Table {
  return {
    title,
    rows: rows.map(({samples: {name, times}, baseline, limit}) => ({
      what: name,
      'median ms': median(times),
      'p99 ms': quantile(times, 0.99),
      runs: times.length,
      ...(baseline && {baseline: baseline.name, ratio: median(times) / median(baseline.times)}),
      ...(limit !== undefined && within(median(times), limit, ' ms')),
    })),
  }
}
