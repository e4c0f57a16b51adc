import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {createRepository, testRepository} from '../test/lake/support/git.ts'
import {send} from '../test/soak/api.ts'
import {LakeProcess} from '../test/soak/process.ts'
import {median, type Run, within} from './report.ts'
import {temporaryFolder} from './servers.ts'

const DOCUMENTS = 10_000

/** Limit for a publication, in milliseconds. */
const PUBLICATION_LIMIT = 60

/** Time for the background work after a publish to finish, in milliseconds, and runs that warm up and are not counted. */
const [REST, WARM_UP] = [300, 20]

const description = 'What an editor writes about a tool, in two or three sentences. '.repeat(5)

const pair = {draftId: 'drafts.tool-5000', publishedId: 'tool-5000'}
const publish = {actionType: 'sanity.action.document.publish', ...pair}
const edit = (number: number) => ({
  ...{actionType: 'sanity.action.document.edit', ...pair},
  patch: {set: {description: `${description}${number}`}},
})

/** Measures what an editor waits for, a keystroke and a publish, with many documents, compared with a request that does nothing. */
export async function benchLake({quick, cleanup, show}: Run): Promise<readonly string[]> {
  const [often, seldom] = quick ? [100, 20] : [500, 50]
  const content = join(await temporaryFolder({cleanup}), 'content')
  const lake = await startLake(content)
  cleanup.defer(() => lake.kill(true))
  const address = await lake.address
  const act = async (action: object) => {
    const {status, body} = await send(address, 'actions', {actions: [action]})
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  const request = await measure(often, () => fetch(`${address}/healthz`).then((response) => response.text()))
  const keystroke = await measure(often, (number) => act(edit(number)))
  const prepare = async (number: number) => {
    await act(edit(number))
    await setTimeout(REST)
  }
  const publication = await measure(seldom, () => act(publish), prepare)
  show({
    title: `${DOCUMENTS.toLocaleString('en-US')} documents in one folder`,
    rows: [
      {what: 'an HTTP request that does nothing', 'median ms': request},
      {what: 'a keystroke', 'median ms': keystroke, ratio: keystroke / request},
      {
        ...{what: 'a publication', 'median ms': publication, ratio: publication / request},
        ...within(publication, PUBLICATION_LIMIT, ' ms'),
      },
    ],
  })
  return [
    'Milliseconds from a request to its response, one request after the other, from a client on the same machine. Ratio: compared with the first row.',
  ]
}

async function startLake(content: string): Promise<LakeProcess> {
  await createRepository(content)
  const tools = Array.from({length: DOCUMENTS}, (_, number) => {
    return {_id: `tool-${number}`, _type: 'tool', name: `tool${number}`, description, enabled: true}
  })
  const documents = [{_id: 'shop', _type: 'site'}, ...tools]
  await testRepository(content).commitMany(
    Object.fromEntries(documents.map((document) => [`${document._type}/${document._id}.json`, document])),
  )
  return new LakeProcess({CONTENT_DIR: content})
}

/** @returns the median of the times that work takes, in milliseconds */
async function measure(
  times: number,
  work: (number: number) => Promise<unknown>,
  prepare: (number: number) => Promise<unknown> = async () => {},
): Promise<number> {
  const samples: number[] = []
  for (let number = 0; number < WARM_UP + times; number += 1) {
    await prepare(number)
    const started = performance.now()
    await work(number)
    if (number >= WARM_UP) samples.push(performance.now() - started)
  }
  return median(samples)
}
