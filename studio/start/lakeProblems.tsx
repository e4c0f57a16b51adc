import {Box, Stack, Text} from '@sanity/ui'
import {useEffect, useState} from 'react'
import {useClient} from 'sanity'
import {isRecord} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {Note} from '../install/parts.tsx'
import {API_VERSION} from '../live/apiVersion.ts'

type LakeProblem = {code: string; message: string; reason: string}

/** Codes of a lake that follows another one. */
const READ_ONLY = ['STANDBY', 'REPLACED']

/** Milliseconds between two requests while the page is visible. */
const INTERVAL = 60_000

/** What is wrong with the lake, for the person who runs it. Nothing while all is well, or without a lake. */
export function LakeProblems() {
  const problems = useLakeProblems()
  if (problems.length === 0) return null
  return (
    <Box data-testid="lake-problems" paddingBottom={5}>
      <Note tone="caution">
        <Stack gap={3}>
          <Text as="p" size={1} weight="medium">
            {problems.some(({code}) => READ_ONLY.includes(code))
              ? 'Nothing can be changed here. Show this to the person who runs the server:'
              : 'The server needs attention. Show this to the person who runs it:'}
          </Text>
          {problems.map(({code, message, reason}) => (
            <Stack gap={2} key={code}>
              <Text as="p" size={1}>
                {message}.
              </Text>
              {reason !== '' && (
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

function useLakeProblems(): readonly LakeProblem[] {
  const client = useClient({apiVersion: API_VERSION})
  const [problems, setProblems] = useState<readonly LakeProblem[]>([])
  useEffect(() => {
    const stop = new AbortController()
    const load = () => {
      if (document.hidden) return
      client.request({url: '/problems', signal: stop.signal, tag: 'handrail.problems'}).then(
        (value: unknown) => setProblems(parseProblems(value)),
        // Hosted Sanity has no such route, and a lake that is unreachable shows in other ways.
        () => {},
      )
    }
    load()
    const timer = setInterval(load, INTERVAL)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [client])
  return problems
}

/** Reads the lake's answer. */
function parseProblems(value: unknown): readonly LakeProblem[] {
  const found = isRecord(value) && Array.isArray(value.problems) ? value.problems : []
  return found.filter(isRecord).map((one) => ({
    code: textOf(one.code),
    message: textOf(one.message),
    reason: textOf(one.reason),
  }))
}
