import {Box} from '@sanity/ui'
import {useCallback} from 'react'
import {Note, Section} from './parts.tsx'
import {fetchTrialToken} from './service.ts'
import {describeTrial, type TrialWords} from './trialWords.ts'
import {useAnswer} from './useAnswer.ts'

/** Which browsers find the tools of the pages that load the snippet from a service. */
export function Trial({origin}: {origin: string}) {
  const words = useTrial(origin)
  return (
    <Section
      title="Browsers"
      text="Visitors' Chrome and Edge have WebMCP only on pages with an origin trial token; Firefox and Safari have none. Many agents switch WebMCP on themselves, and need no token: “Who can call these tools” lists them."
    >
      {words !== undefined && (
        <Box data-testid="install-trial">
          <Note tone={words.tone}>{words.text}</Note>
        </Box>
      )}
    </Section>
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

/** Undefined until the service responds: other notes say that it is unreachable. */
function useTrial(origin: string): TrialWords | undefined {
  const token = useAnswer(useCallback((signal: AbortSignal) => fetchTrialToken(origin, signal), [origin]))
  return token.state === 'answered' ? describeTrial(token.value, origin, Date.now()) : undefined
}
