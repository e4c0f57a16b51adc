import type {CardTone} from '@sanity/ui'
import {readTrialToken, type TrialToken, trialState} from '../../schemas/agents/originTrial.ts'

/** What Studio says about the token of a service. */
export type TrialWords = {
  readonly tone: CardTone
  readonly text: string
  /** Whether somebody has to act, so that the overview shows it too. */
  readonly isUrgent: boolean
  /** Whether browsers accept the token now. */
  readonly works: boolean
}

const DATE = new Intl.DateTimeFormat('en-GB', {dateStyle: 'long', timeZone: 'UTC'})

/**
 * Describes the token of a service.
 * @param token undefined: the service has none.
 * @param origin of the service, which pages load the snippet from
 * @param now milliseconds since 1970
 */
export function describeTrial(token: string | undefined, origin: string, now: number): TrialWords {
  const state = trialState(token, now)
  const parsed = token === undefined ? undefined : readTrialToken(token)
  if (parsed !== undefined && state.state !== 'unusable' && !isFor(parsed, origin)) {
    const text = `This service has a token for ${originOf(parsed)}, but your pages load the snippet from ${origin}: visitors' Chrome and Edge find no tools. Ask the person who runs the service for a token for ${origin}.`
    return {tone: 'caution', text, isUrgent: true, works: false}
  }
  switch (state.state) {
    case 'none':
      return {
        tone: 'default',
        text: "This service has no token: visitors' Chrome and Edge find no tools; agents with a switch of their own do.",
        isUrgent: false,
        works: false,
      }
    case 'valid':
      return {
        tone: 'positive',
        text: `This service has a token until ${DATE.format(state.ends)}: visitors' Chrome and Edge find your tools.`,
        isUrgent: false,
        works: true,
      }
    case 'ending':
      return {
        tone: 'caution',
        text: `The token of this service ends on ${DATE.format(state.ends)}. After that, visitors' Chrome and Edge find no tools; agents with a switch of their own do. Ask the person who runs the service for a new one.`,
        isUrgent: true,
        works: true,
      }
    case 'ended':
      return {
        tone: 'critical',
        text: `The token of this service ended on ${DATE.format(state.ends)}: visitors' Chrome and Edge find no tools; agents with a switch of their own do. Ask the person who runs the service for a new one.`,
        isUrgent: true,
        works: false,
      }
    case 'unusable':
      return {
        tone: 'critical',
        text: `The token of this service does not work: it ${state.mistakes.join(', and ')}. Visitors' Chrome and Edge find no tools; agents with a switch of their own do. Ask the person who runs the service for a new one.`,
        isUrgent: true,
        works: false,
      }
  }
}

function originOf({origin}: TrialToken): string {
  return URL.canParse(origin) ? new URL(origin).origin : origin
}

function isFor(token: TrialToken, service: string): boolean {
  const [own, other] = [originOf(token), service].map((text) =>
    URL.canParse(text) ? new URL(text) : undefined,
  )
  if (own === undefined || other === undefined) return false
  if (own.origin === other.origin) return true
  const isBelow = other.hostname.endsWith(`.${own.hostname}`)
  return token.includesSubdomains && isBelow && own.protocol === other.protocol && own.port === other.port
}
