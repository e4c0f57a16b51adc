import {Stack} from '@sanity/ui'
import {useMemo} from 'react'
import type {ToolOnPage} from '../../../advice/diagnosis/page.ts'
import {normalizePath} from '../../../schemas/rules/paths/normalizePath.ts'
import {parsePublicId} from '../../../schemas/rules/publicId.ts'
import {describeFreshness} from '../../install/freshness.ts'
import {fetchServed} from '../../install/service.ts'
import type {Answer} from '../../live/answer.ts'
import {NotLoaded} from '../../live/notLoaded.tsx'
import {useAnswer} from '../../live/useAnswer.ts'
import {Muted, Note} from '../../parts/note.tsx'

type ServedNoteProps = {
  publicId: unknown
  path: string
  pollInterval: unknown
  /** The tools that should be offered. */
  expected: readonly ToolOnPage[]
}

/** Compares what the service really returns for a page with what it should return. */
export function ServedNote({publicId, path, pollInterval, expected}: ServedNoteProps) {
  const parsed = parsePublicId(publicId)
  const names = expected.flatMap(({now}) => now.verdict.place?.name ?? []).sort()
  const served = useServed(parsed.ok ? parsed.value : undefined, path, names.join(' '))
  return (
    <Stack data-testid="page-served" gap={3}>
      {!parsed.ok ? (
        <Note>The service does not know this site yet.</Note>
      ) : served.state === 'answered' ? (
        <Comparison expected={names} path={normalizePath(path)} served={served.value} />
      ) : (
        <NotLoaded of={served} />
      )}
      <Muted>{describeFreshness(pollInterval)}</Muted>
    </Stack>
  )
}

type ComparisonProps = {expected: readonly string[]; path: string; served: readonly string[]}

function Comparison({expected, path, served}: ComparisonProps) {
  const missing = expected.filter((name) => !served.includes(name))
  const extra = served.filter((name) => !expected.includes(name))
  if (missing.length + extra.length === 0) {
    const count = expected.length === 1 ? 'this tool' : `these ${expected.length} tools`
    return (
      <Note tone="positive">
        {expected.length === 0
          ? `The service returns no tools for ${path}, as expected.`
          : `The service returns exactly ${count} for ${path}: ${expected.join(', ')}.`}
      </Note>
    )
  }
  const differences = [
    ...(missing.length > 0 ? [`does not return ${missing.join(', ')} yet`] : []),
    ...(extra.length > 0 ? [`still returns ${extra.join(', ')}`] : []),
  ]
  return (
    <Note tone="caution">
      For {path}, the service {differences.join(' and ')}. It picks up a change within seconds; while it
      cannot reach the content, it keeps the last known state. If this message stays for more than a minute,
      the service reads other content than this Studio, or the tool is too large for it. Checking again…
    </Note>
  )
}

/** Milliseconds until a request: an editor may still be typing. */
const PAUSE = 300

/** Milliseconds until the next request while the service returns something else than expected. */
const RETRY = 3_000

/**
 * The names of the tools and form tools that the service returns for a page, asked for again until they are the expected
 * ones.
 * @param publicId undefined: sends no request
 * @param expected names, sorted and joined with spaces
 */
function useServed(publicId: string | undefined, path: string, expected: string): Answer<string[]> {
  // What is expected changes after a publish.
  const subject = `${publicId} ${path} ${expected}`
  const ask = useMemo(() => {
    void subject
    if (publicId === undefined) return undefined
    return async (signal: AbortSignal) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      signal.throwIfAborted()
      return fetchServed(publicId, path, signal)
    }
  }, [publicId, path, subject])
  const isExpected = (answer: Answer<string[]>) =>
    answer.state === 'answered' && answer.value.join(' ') === expected
  return useAnswer(ask, {again: (answer) => (isExpected(answer) ? undefined : RETRY)})
}
