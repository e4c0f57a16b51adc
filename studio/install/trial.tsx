import {Box, Stack} from '@sanity/ui'
import {useAnswer} from '../live/useAnswer.ts'
import {Muted, Note} from '../parts/layout.tsx'
import {serviceOrigin} from '../running.ts'
import {fetchTrialToken} from './service.ts'
import {describeTrial} from './trialWords.ts'

/** Which browsers find the tools of the pages that load the snippet from the service. */
export function Trial() {
  return (
    <Stack gap={3}>
      <TrialNote />
      <Muted>
        ChatGPT’s desktop program and agents that drive a browser find tools without a token; Firefox and
        Safari do not. The panel, previews and tests work in every browser.
      </Muted>
    </Stack>
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
