import {Badge, Flex, Stack} from '@sanity/ui'
import type {ToolOnPage} from '../../advice/diagnosis/page.ts'
import {type Reason, stateOf} from '../../advice/diagnosis/reasons.ts'
import {conditionsOf, describeDraft, explain, STATE_TITLES} from '../../advice/diagnosis/words.ts'
import {Muted, Strong} from '../parts/layout.tsx'

type ToolStateProps = {
  title: string
  tool: ToolOnPage
  advice: readonly string[]
  /** What to say of a tool that is for other pages. */
  otherPages?: string
}

/** The state of a tool on a page: why the page does not offer it, what its draft will change, and advice. */
export function ToolState(props: ToolStateProps) {
  const {title, tool, advice, otherPages = STATE_TITLES.noMatch} = props
  const draft = describeDraft(tool)
  const lines = [...explain(tool), ...conditionsOf(tool), ...(draft === undefined ? [] : [draft]), ...advice]
  return (
    <Stack flex={1} gap={3}>
      <Flex align="center" gap={2} justify="space-between" wrap="wrap">
        <Strong>{title}</Strong>
        <StateBadge otherPages={otherPages} reasons={tool.reasons} />
      </Flex>
      {lines.map((line) => (
        <Muted key={line}>{line}</Muted>
      ))}
    </Stack>
  )
}

const TONES = {offered: 'positive', invalid: 'critical', nameTaken: 'caution'} as const

/** The state of a tool on a page in one or two words. */
function StateBadge({reasons, otherPages}: {reasons: readonly Reason[]; otherPages: string}) {
  const state = stateOf(reasons)
  const tone = state === 'offered' || state === 'invalid' || state === 'nameTaken' ? TONES[state] : 'default'
  return <Badge tone={tone}>{state === 'noMatch' ? otherPages : STATE_TITLES[state]}</Badge>
}
