import {Stack} from '@sanity/ui'
import type {ToolOnPage} from '../../../schemas/diagnosis/page.ts'
import {normalizePath} from '../../../schemas/rules/paths/normalizePath.ts'
import {parsePublicId} from '../../../schemas/rules/publicId.ts'
import {describeFreshness} from '../../install/freshness.ts'
import {NotLoaded} from '../../live/notLoaded.tsx'
import {Muted, Note} from '../../parts/note.tsx'
import {useServed} from './useServed.ts'

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
