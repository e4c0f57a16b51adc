import {Badge} from '@sanity/ui'
import {type Reason, stateOf} from '../../schemas/diagnosis/reasons.ts'
import {STATE_TITLES} from '../../schemas/diagnosis/words.ts'

const TONES = {offered: 'positive', invalid: 'critical', nameTaken: 'caution'} as const

/** The state of a tool on a page in one or two words. */
export function StateBadge({reasons}: {reasons: readonly Reason[]}) {
  const state = stateOf(reasons)
  const tone = state === 'offered' || state === 'invalid' || state === 'nameTaken' ? TONES[state] : 'default'
  return <Badge tone={tone}>{STATE_TITLES[state]}</Badge>
}
