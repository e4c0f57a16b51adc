import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {type Watched, watchVisits} from '../../../studio/visits/watch.ts'
import {
  describeSiteVisits,
  describeToolVisits,
  type SiteVisits,
  visitCauses,
} from '../../../studio/visits/words.ts'

const NOW = 1_800_000_000_000

const seen = (age: number | undefined, tools: Record<string, number> = {}): SiteVisits => ({
  now: NOW,
  seenAt: age === undefined ? undefined : NOW - age,
  tools: new Map(Object.entries(tools).map(([id, toolAge]) => [id, NOW - toolAge])),
})

describe('Studio says', () => {
  test('when a page was last seen, in words', () => {
    const ages: [age: number, state: string, text: string][] = [
      [0, 'seen', 'Seen less than a minute ago'],
      [59_999, 'seen', 'Seen less than a minute ago'],
      [60_000, 'seen', 'Seen 1 minute ago'],
      [150_000, 'seen', 'Seen 2 minutes ago'],
      [7_200_000, 'seen', 'Seen 2 hours ago'],
      [3 * 86_400_000, 'old', 'Seen 3 days ago'],
    ]
    for (const [age, state, text] of ages) assert.deepEqual(describeSiteVisits(seen(age)), {state, text})
  })

  test('that no page has asked', () => {
    assert.deepEqual(describeSiteVisits(seen(undefined)), {
      state: 'never',
      text: 'No page has asked yet, as far as is known',
    })
  })

  test('when the pages of a tool were asked for', () => {
    const visits = seen(0, {cart: 120_000})
    assert.equal(describeToolVisits(visits, 'cart').text, 'Its pages were asked for 2 minutes ago')
    assert.deepEqual(describeToolVisits(visits, 'search'), {
      state: 'never',
      text: 'None of its pages has asked for it yet, as far as is known',
    })
  })

  test('why no page may have asked, and what to do about each reason, with the values of this site', () => {
    const causes = visitCauses('shop-public', 'https://tools.example')
    for (const {cause, remedy} of causes) assert.match(`${cause} ${remedy}`, /^[A-Z].*\. .*[A-Z“].*\.$/)
    const text = causes.flatMap(({cause, remedy}) => [cause, remedy]).join('\n')
    for (const word of ['data-site="shop-public"', 'https://tools.example', 'script tag', 'WebMCP'])
      assert.ok(text.includes(word), word)
  })
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
