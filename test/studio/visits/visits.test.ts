import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {type SiteVisits, type Watched, watchVisits} from '../../../studio/visits/watch.ts'
import {visitCauses} from '../../../studio/visits/words.ts'

const NOW = 1_800_000_000_000

const seen = (age: number | undefined): SiteVisits => ({
  now: NOW,
  seenAt: age === undefined ? undefined : NOW - age,
  tools: new Map(),
})

test('Studio says why no page may have asked, and what to do about each reason, with the values of this site', () => {
  const causes = visitCauses('shop-public', 'https://tools.example')
  for (const {cause, remedy} of causes) assert.match(`${cause} ${remedy}`, /^[A-Z].*\. .*[A-Z“].*\.$/)
  const text = causes.flatMap(({cause, remedy}) => [cause, remedy]).join('\n')
  for (const word of ['data-site="shop-public"', 'https://tools.example', 'script tag', 'WebMCP'])
    assert.ok(text.includes(word), word)
})

/** What is reported while the service gives one answer every two seconds. */
async function watched(
  answers: (second: number) => SiteVisits | Error,
): Promise<[seconds: number, Watched][]> {
  let passed = 0
  const found: [number, Watched][] = []
  await watchVisits(
    async () => {
      const answer = answers(passed / 1_000)
      if (answer instanceof Error) throw answer
      return answer
    },
    (state) => found.push([passed / 1_000, state]),
    new AbortController().signal,
    {
      now: () => passed,
      wait: async (milliseconds) => {
        passed += milliseconds
      },
    },
  )
  return found
}

describe('after “Check now”, Studio', () => {
  test('waits until a page is seen, also if the service did not respond once', async () => {
    const answers = (second: number) =>
      second < 2 ? new Error('not reachable') : seen(second < 6 ? 3_600_000 : 5_000)
    assert.deepEqual(await watched(answers), [
      [0, 'watching'],
      [6, 'seen'],
    ])
  })

  test('says at once that a page was seen within the last minute: browsers keep the response', async () => {
    assert.deepEqual(await watched(() => seen(60_000)), [
      [0, 'watching'],
      [0, 'seen'],
    ])
  })

  test('gives up after 30 seconds', async () => {
    assert.deepEqual(await watched(() => seen(undefined)), [
      [0, 'watching'],
      [30, 'silent'],
    ])
  })
})
