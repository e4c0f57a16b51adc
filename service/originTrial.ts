import type {FastifyBaseLogger} from 'fastify'
import {readTrialToken, type TrialState, trialState} from '../advice/originTrial.ts'

type OriginTrialOptions = {
  /** Undefined: the service has none. */
  token: string | undefined
  log: FastifyBaseLogger
  /** Milliseconds since 1970. */
  clock: () => number
}

/** The origin trial token of the service. The log has its state at the start, `/readyz` and a metric at any time. */
export class OriginTrial {
  readonly #options: OriginTrialOptions

  constructor(options: OriginTrialOptions) {
    this.#options = options
    this.#logState()
  }

  /** What browsers make of the token now. */
  get state(): TrialState {
    return trialState(this.#options.token, this.#options.clock())
  }

  /** What an operator must know, as a sentence. `undefined` while all is well, and without a token. */
  warning(): string | undefined {
    return warningOf(this.state)
  }

  /** When the token ends, in seconds since 1970; 0 if browsers never accept it. `undefined` without a token. */
  endSeconds(): number | undefined {
    const state = this.state
    if (state.state === 'none') return undefined
    return 'ends' in state ? state.ends.getTime() / 1_000 : 0
  }

  #logState(): void {
    const {token, log} = this.#options
    if (token === undefined) return
    const {origin, feature, ends} = readTrialToken(token) ?? {}
    const facts = {origin, feature, expires: ends?.toISOString()}
    const warning = this.warning()
    if (warning === undefined)
      log.info(facts, 'read the origin trial token; pages must load the snippet from its origin')
    else log.warn(facts, warning)
  }
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
