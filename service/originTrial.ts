import type {FastifyBaseLogger} from 'fastify'
import {readTrialToken, type TrialState, trialState} from '../advice/originTrial.ts'

export type OriginTrial = ReturnType<typeof originTrialOf>

/**
 * The origin trial token of the service. The log has its state at the start, `/readyz` and a metric at any time.
 * @param token undefined: the service has none.
 * @param clock milliseconds since 1970.
 */
export function originTrialOf(token: string | undefined, clock: () => number, log: FastifyBaseLogger) {
  const trial = {
    /** What an operator must know, as a sentence. `undefined` while all is well, and without a token. */
    warning: () => warningOf(trialState(token, clock())),

    /** When the token ends, in seconds since 1970; 0 if browsers never accept it. `undefined` without a token. */
    endSeconds(): number | undefined {
      const state = trialState(token, clock())
      if (state.state === 'none') return undefined
      return 'ends' in state ? state.ends.getTime() / 1_000 : 0
    },
  }
  if (token === undefined) return trial
  const {origin, feature, ends} = readTrialToken(token) ?? {}
  const facts = {origin, feature, expires: ends?.toISOString()}
  const warning = trial.warning()
  if (warning === undefined)
    log.info(facts, 'read the origin trial token; pages must load the snippet from its origin')
  else log.warn(facts, warning)
  return trial
}

function warningOf(state: TrialState): string | undefined {
  switch (state.state) {
    case 'none':
    case 'valid':
      return undefined
    case 'ending':
      return `WEBMCP_ORIGIN_TRIAL_TOKEN ends in ${state.daysLeft === 1 ? 'a day' : `${state.daysLeft} days`}, at ${state.ends.toISOString()}: set a new one, or visitors' browsers stop finding tools.`
    case 'ended':
      return `WEBMCP_ORIGIN_TRIAL_TOKEN has expired, at ${state.ends.toISOString()}: visitors' Chrome and Edge find no tools. Set a new one, or unset it. Agents that enable WebMCP themselves need none.`
    case 'unusable':
      return `WEBMCP_ORIGIN_TRIAL_TOKEN does not enable WebMCP for visitors: it ${state.mistakes.join(', and ')}.`
  }
}
