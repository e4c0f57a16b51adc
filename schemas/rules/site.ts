import type {Fields} from '../record.ts'
import {type Parsed, parseChoice} from './parsed.ts'

/** Whether a site offers its tools. A missing field means yes. */
export function isSiteEnabled({enabled}: Fields): boolean {
  return (enabled ?? true) === true
}

/** When a site asks for a review before a change is published. `tests`: always, and the tests of the tool must have passed. */
const REVIEWS = ['none', 'scripts', 'all', 'tests'] as const

export type Review = (typeof REVIEWS)[number]

/** Which changes of a site need a review. A missing field means none. */
export function parseReview(value: unknown): Parsed<Review> {
  return parseChoice(value, REVIEWS, 'The review')
}
