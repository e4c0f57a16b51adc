import {Box, Stack, Text} from '@sanity/ui'
import {useLakeReport} from '../live/useLakeReport.ts'
import {Note} from '../parts/note.tsx'

type LakeProblem = {code: string; message: string; reason?: string}

/** Milliseconds between two requests while the page is visible. */
const INTERVAL = 60_000

/** What is wrong with the lake, for the person who runs it. Nothing while all is well, or without a lake. */
export function LakeProblems() {
  const problems = useLakeReport<{problems: LakeProblem[]}>('/problems', INTERVAL)?.problems ?? []
  if (problems.length === 0) return null
  return (
    <Box data-testid="lake-problems" paddingBottom={5}>
      <Note tone="caution">
        <Stack gap={3}>
          <Text as="p" size={1} weight="medium">
            The server needs attention. Show this to the person who runs it:
          </Text>
          {problems.map(({code, message, reason}) => (
            <Stack gap={2} key={code}>
              <Text as="p" size={1}>
                {message}.
              </Text>
              {reason !== undefined && (
                <Text as="p" muted size={1} style={{overflowWrap: 'anywhere'}}>
                  {code}: {reason}
                </Text>
              )}
            </Stack>
          ))}
        </Stack>
      </Note>
    </Box>
  )
}
