import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../../rules/pollInterval.ts'
import type {Fields} from '../../rules/tool.ts'
import {type Advice, advise} from '../advice.ts'

/** Seconds after which an open page should have noticed that a tool was switched off. */
const LONGEST_GOOD_INTERVAL = 3_600

/** All advice on a site. */
export function adviseSite({pollInterval}: Fields): Advice[] {
  const seconds = parsePollInterval(pollInterval)
  if (!seconds.ok || seconds.value <= LONGEST_GOOD_INTERVAL) return []
  const hours = (seconds.value / 3_600).toFixed(1)
  const message = `These are seconds: open pages keep a tool for up to ${hours} hours after you switch it off. Most sites use ${DEFAULT_POLL_INTERVAL}.`
  const fix = {title: `Use ${DEFAULT_POLL_INTERVAL} seconds`, replacement: DEFAULT_POLL_INTERVAL}
  return [advise('POLL_INTERVAL_LONG', 'pollInterval', message, {fix})]
}
