import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {followOpened, type Opened} from '../../../studio/preview/opened.ts'

/** What is reported while the service gives one answer per second, and the milliseconds that have passed. */
async function reports(
  answers: (second: number) => string | undefined | Error,
  stopAt = Number.POSITIVE_INFINITY,
): Promise<[milliseconds: number, opened: Opened][]> {
  let passed = 0
  const found: [number, Opened][] = []
  const stop = new AbortController()
  await followOpened(
    async () => {
      const answer = answers(passed / 1_000)
      if (answer instanceof Error) throw answer
      return answer
    },
    (opened) => {
      if (found.at(-1)?.[1].state !== opened.state) found.push([passed, opened])
    },
    stop.signal,
    {
      now: () => passed,
      wait: async (milliseconds) => {
        passed += milliseconds
        if (passed >= stopAt) stop.abort()
      },
    },
  )
  return found
}

describe('after a preview link was opened, Studio', () => {
  test('says where the page is that shows it', async () => {
    assert.deepEqual(await reports((second) => (second < 4 ? undefined : 'https://shop.example')), [
      [0, {state: 'waiting'}],
      [5_000, {state: 'shown', origin: 'https://shop.example'}],
    ])
  })

  test('says within ten seconds that no page shows it, and takes that back if one does later', async () => {
    const found = await reports((second) => (second < 60 ? undefined : 'https://shop.example'))
    assert.deepEqual(
      found.map(([, {state}]) => state),
      ['waiting', 'silent', 'shown'],
    )
    assert.ok((found[1]?.[0] ?? Number.POSITIVE_INFINITY) <= 10_000)
  })

  test('asks no longer than a link is valid, and not after the dialog was closed', async () => {
    let asked = 0
    await reports(() => {
      asked++
      return undefined
    })
    assert.ok(asked > 100 && asked < 400, String(asked))
    assert.deepEqual(await reports(() => undefined, 2_000), [[0, {state: 'waiting'}]])
  })

  test('says why it cannot ask, and goes on asking', async () => {
    const gone = new Error('The service is not reachable.')
    assert.deepEqual(await reports((second) => (second < 4 ? gone : 'https://shop.example')), [
      [0, {state: 'waiting'}],
      [0, {state: 'failed', problem: gone.message}],
      [5_000, {state: 'shown', origin: 'https://shop.example'}],
    ])
  })
})
