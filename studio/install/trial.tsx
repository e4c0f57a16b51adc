import {Box} from '@sanity/ui'
import {useAnswer} from '../live/useAnswer.ts'
import {Note, Section} from '../parts/layout.tsx'
import {serviceOrigin} from '../running.ts'
import {fetchTrialToken} from './service.ts'
import {describeTrial} from './trialWords.ts'

/** Which browsers find the tools of the pages that load the snippet from the service. */
export function Trial() {
  return (
    <Section
      title="Browsers"
      text="Visitors' Chrome and Edge have WebMCP only on pages with an origin trial token; Firefox and Safari have none. Many agents switch WebMCP on themselves, and need no token."
    >
      <TrialNote />
    </Section>
  )
}

/** What the token of the service means for visitors. */
function TrialNote() {
  const words = useTrial()
  if (words === undefined) return null
  return (
    <Box data-testid="install-trial">
      <Note tone={words.tone}>{words.text}</Note>
    </Box>
  )
}

/** A note on the overview while the token of the service needs attention. */
export function TrialProblem() {
  const words = useTrial()
  if (words?.isUrgent !== true) return null
  return (
    <Box data-testid="trial-problem" paddingBottom={5}>
      <Note tone={words.tone}>{words.text}</Note>
    </Box>
  )
}

/** What the token of the service means. Undefined until the service responds: other notes say that it is unreachable. */
function useTrial() {
  const token = useAnswer(fetchTrialToken)
  return token.state === 'answered' ? describeTrial(token.value, serviceOrigin, Date.now()) : undefined
}
