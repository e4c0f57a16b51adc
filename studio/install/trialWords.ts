import {readTrialToken, type TrialState, type TrialToken, trialState} from '../../advice/originTrial.ts'

const DATE = new Intl.DateTimeFormat('en-GB', {dateStyle: 'long', timeZone: 'UTC'})

const TONES = {
  none: 'default',
  valid: 'positive',
  ending: 'caution',
  ended: 'critical',
  unusable: 'critical',
} as const

const FIND_NONE = "visitors' Chrome and Edge find no tools; agents with a switch of their own do."
const ASK = 'Ask the person who runs the service for a new one.'

/**
 * Describes the token of a service: in words, and whether somebody has to act.
 * @param token undefined: the service has none.
 * @param origin of the service, which pages load the snippet from
 * @param now milliseconds since 1970
 */
export function describeTrial(token: string | undefined, origin: string, now: number) {
  const trial = trialState(token, now)
  const parsed = token === undefined ? undefined : readTrialToken(token)
  if (parsed !== undefined && trial.state !== 'unusable' && !isFor(parsed, origin)) {
    const text = `This service has a token for ${originOf(parsed)}, but your pages load the snippet from ${origin}: visitors' Chrome and Edge find no tools. Ask the person who runs the service for a token for ${origin}.`
    return {tone: 'caution', text, isUrgent: true} as const
  }
  return {
    tone: TONES[trial.state],
    text: wordsOf(trial),
    isUrgent: trial.state !== 'none' && trial.state !== 'valid',
  }
}

function wordsOf(trial: TrialState): string {
  switch (trial.state) {
    case 'none':
      return `This service has no token: ${FIND_NONE}`
    case 'valid':
      return `This service has a token until ${DATE.format(trial.ends)}: visitors' Chrome and Edge find your tools.`
    case 'ending':
      return `The token of this service ends on ${DATE.format(trial.ends)}. After that, ${FIND_NONE} ${ASK}`
    case 'ended':
      return `The token of this service ended on ${DATE.format(trial.ends)}: ${FIND_NONE} ${ASK}`
    case 'unusable':
      return `The token of this service does not work: it ${trial.mistakes.join(', and ')}. So ${FIND_NONE} ${ASK}`
  }
}

function originOf({origin}: TrialToken): string {
  return URL.canParse(origin) ? new URL(origin).origin : origin
}

function isFor(token: TrialToken, service: string): boolean {
  if (!URL.canParse(token.origin)) return false
  const [own, other] = [new URL(token.origin), new URL(service)]
  if (own.origin === other.origin) return true
  const isBelow = other.hostname.endsWith(`.${own.hostname}`)
  return token.includesSubdomains && isBelow && own.protocol === other.protocol && own.port === other.port
}
