import {Box} from '@sanity/ui'
import {useCallback} from 'react'
import {Note} from '../parts/note.tsx'
import {Section} from '../parts/section.tsx'
import {fetchTrialToken} from './service.ts'
import {describeTrial, type TrialWords} from './trialWords.ts'
import {useAnswer} from './useAnswer.ts'

/** Which browsers find the tools of the pages that load the snippet from a service. */
export function Trial({origin}: {origin: string}) {
  return (
    <Section
      title="Browsers"
      text="Visitors' Chrome and Edge have WebMCP only on pages with an origin trial token; Firefox and Safari have none. Many agents switch WebMCP on themselves, and need no token: the tab “Agents” lists them."
    >
      <TrialNote origin={origin} />
    </Section>
  )
}

/** What the token of a service means for visitors. */
export function TrialNote({origin}: {origin: string}) {
  const words = useTrial(origin)
  if (words === undefined) return null
  return (
    <Box data-testid="install-trial">
      <Note tone={words.tone}>{words.text}</Note>
    </Box>
  )
}

/** A note on the overview while the token of the service needs attention. */
export function TrialProblem({origin}: {origin: string}) {
  const words = useTrial(origin)
  if (words?.isUrgent !== true) return null
  return (
    <Box data-testid="trial-problem" paddingBottom={5}>
      <Note tone={words.tone}>{words.text}</Note>
    </Box>
  )
}

/** What the token of a service means. Undefined until the service responds: other notes say that it is unreachable. */
export function useTrial(origin: string): TrialWords | undefined {
  const token = useAnswer(useCallback((signal: AbortSignal) => fetchTrialToken(origin, signal), [origin]))
  return token.state === 'answered' ? describeTrial(token.value, origin, Date.now()) : undefined
}
