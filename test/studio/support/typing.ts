import type {Page} from 'playwright-core'
import {isJsonObject} from '../../../common/json.ts'
import {Random} from '../../soak/random.ts'
import {hold} from '../../soak/violation.ts'
import {eventually} from '../../support/eventually.ts'
import {FAULTS, startFault} from './faults.ts'
import {fieldOf, PUBLISH, type RunningStudio} from './studio.ts'

type TypingPlan = {
  readonly seed: number
  /** How often the network is cut. */
  readonly rounds: number
  /** Words that are typed in each round. */
  readonly edits: number
  /** The longest time without a network, in milliseconds. */
  readonly longest: number
}

const TOOL = 'tool-search-products'

/** Where Studio has the form of the tool. */
export const TYPING_PATH = `/structure/sites;shop;tools;${TOOL}`

/**
 * Types into a tool that is published and has no draft, while the network is cut at random moments, and checks that the
 * lake has every character after the network is back. Publishes after each round, so that each begins with the first
 * edit after a publish. The same seed makes the same choices.
 * @param page shows the form of the tool
 * @throws Violation that names the seed
 */
export async function typeWithoutNetwork(
  page: Page,
  studio: RunningStudio,
  {seed, rounds, edits, longest}: TypingPlan,
): Promise<void> {
  const random = new Random(seed)
  const input = fieldOf(page, 'description')
  for (let round = 0; round < rounds; round += 1) {
    // Each fault has its turn, however few rounds there are.
    const fault = FAULTS[(round + seed) % FAULTS.length] ?? 'reset'
    const isReloaded = fault === 'unavailable' && random.chance(0.5)
    const words = Array.from({length: edits}, (_, index) => ` ${round}.${index}`)
    const cutBefore = random.between(0, edits - 1)
    const what = `seed ${seed}, round ${round}, ${fault}${isReloaded ? ' with a reload' : ''}`
    const before = await input.inputValue()
    let expected = before
    const type = async (typed: readonly string[]) => {
      await input.focus()
      await page.keyboard.press('ControlOrMeta+End')
      for (const word of typed) {
        await page.keyboard.type(word, {delay: random.between(10, 120)})
        const shown = await input.inputValue()
        // Studio locks its fields while it knows that the lake ended, and they take no text.
        const isTaken = fault === 'restart' ? shown.startsWith(expected) : shown === expected + word
        hold(isTaken, `${what}: the form shows "${shown}" after "${expected}" and "${word}"`)
        expected = shown
      }
    }

    await type(words.slice(0, cutBefore))
    const end = await startFault(page, studio, fault)
    const isOver = new Promise((resolve) => setTimeout(resolve, random.between(0, longest)))
    await type(words.slice(cutBefore))
    if (isReloaded) await page.reload()
    await isOver
    await end()

    const saved = await eventually(async () => (await draftOf(page, studio)) ?? before, expected).catch(
      String,
    )
    hold(saved === expected, `${what}: ${saved}, instead of "${expected}"`)
    await eventually(() => input.inputValue(), expected)
    if (round === rounds - 1) return
    await page.locator(PUBLISH).click()
    await eventually(() => draftOf(page, studio), undefined)
    await eventually(() => page.locator(PUBLISH).count(), 0)
    await eventually(() => input.isEditable(), true)
  }
}

/** The description in the draft, past the network of the page; undefined if there is no draft. */
async function draftOf(page: Page, studio: RunningStudio): Promise<string | undefined> {
  const response = await page.request.get(studio.at(`/v2025-02-19/data/doc/production/drafts.${TOOL}`))
  const body: unknown = await response.json()
  const [draft] = isJsonObject(body) && Array.isArray(body.documents) ? body.documents : []
  return isJsonObject(draft) ? String(draft.description) : undefined
}
