import type {FastifyBaseLogger} from 'fastify'
import {readTrialToken, type TrialState, trialState} from '../advice/originTrial.ts'

/** Interval between checks whether the token ends soon or has ended, in milliseconds. */
const CHECK_INTERVAL = 3_600_000

/** Days before its end at which the log names a token again. */
const LAST_DAYS = 7

type OriginTrialOptions = {
  /** Undefined: the service has none. */
  token: string | undefined
  log: FastifyBaseLogger
  /** Milliseconds since 1970. */
  clock: () => number
  /** See `CHECK_INTERVAL`. */
  checkEvery?: number | undefined
}

/** Follows the origin trial token of the service: a service that keeps running reports that it ends. */
export class OriginTrial {
  readonly #options: OriginTrialOptions
  readonly #timer: NodeJS.Timeout
  #logged: string | undefined

  constructor(options: OriginTrialOptions) {
    this.#options = options
    this.#logChange()
    this.#timer = setInterval(() => this.#logChange(), options.checkEvery ?? CHECK_INTERVAL).unref()
  }

  /** What browsers make of the token now. */
  get state(): TrialState {
    return trialState(this.#options.token, this.#options.clock())
  }

  /** What `/readyz` reports of the token. `ends`: `null` if there is none or it cannot be used. */
  report() {
    const state = this.state
    return {state: state.state, ends: 'ends' in state ? state.ends.toISOString() : null}
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

  /** Stops checking, so that the process can exit. */
  close(): void {
    clearInterval(this.#timer)
  }

  #logChange(): void {
    const {token, log} = this.#options
    const state = this.state
    const stage = stageOf(state)
    if (token === undefined || stage === this.#logged) return
    this.#logged = stage
    const {origin, feature, ends} = readTrialToken(token) ?? {}
    const facts = {origin, feature, expires: ends?.toISOString()}
    const warning = warningOf(state)
    if (warning === undefined)
      log.info(facts, 'read the origin trial token; pages must load the snippet from its origin')
    else log.warn(facts, warning)
  }
}

/** What is logged once. */
function stageOf(state: TrialState): string {
  return state.state === 'ending' && state.daysLeft <= LAST_DAYS ? 'ending within a week' : state.state
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
