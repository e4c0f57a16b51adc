import {Stack, Text} from '@sanity/ui'
import {describeFreshness} from '../install/freshness.ts'
import {Muted} from '../parts/note.tsx'

/** What to know before all tools of a site are switched off. */
export function SwitchQuestion({pollInterval}: {pollInterval: unknown}) {
  return (
    <Stack gap={4}>
      <Text size={1}>
        Pages of this site will have no tools. The tools stay here with their own settings, and you can switch
        all of them on again.
      </Text>
      <Muted>{describeFreshness(pollInterval)}</Muted>
    </Stack>
  )
}
