import {Flex, Stack, Text} from '@sanity/ui'
import {type ReactNode, useId} from 'react'
import {styled} from 'styled-components'
import {DURATION_BOUNDS} from '../../schemas/calls/counts.ts'
import {Details, Strong} from '../parts/layout.tsx'
import {BUCKETS, DAYS} from './report.ts'
import type {DayOfCalls, Totals} from './summary.ts'
import {CallsTable} from './table.tsx'
import {countText, dayText, lastDaysText, percentileText, totalsText} from './words.ts'

const COLORS = {
  calls: 'var(--card-badge-primary-dot-color, #556bfc)',
  failed: 'var(--card-badge-critical-dot-color, #f03e2f)',
  line: 'var(--card-border-color)',
}

/** Sizes in units of the drawing. */
const DAY_WIDTH = 10
const BAR_WIDTH = 8
const HEIGHT = 60
const WIDTH = DAYS * DAY_WIDTH

/** The least height of what is not zero. */
const VISIBLE = 1.5

const Drawing = styled.svg`
  border-bottom: 1px solid ${COLORS.line};
  display: block;
  height: 6em;
  width: 100%;
`

type CallsChartProps = {
  days: readonly DayOfCalls[]
  /** Of all days. */
  totals: Totals
}

/** The calls of each day, how many of them failed, and how long they took: drawn, and as a table. */
export function CallsChart({days, totals}: CallsChartProps) {
  const most = Math.max(1, ...days.map(({calls}) => calls))
  return (
    <Stack data-testid="calls-chart" gap={4}>
      <Figure
        text={`${lastDaysText(totals)}. At most ${countText(most)} on one day.`}
        days={days}
        shapes={(day) => <CallsBar day={day} most={most} />}
        title="Calls a day, failed ones at the bottom"
      />
      <Figure
        text={`From ${percentileText(DURATION_BOUNDS[0])} at the bottom to ${percentileText(Number.POSITIVE_INFINITY)} at the top.`}
        days={days}
        shapes={(day) => <DurationsBar day={day} />}
        title="How long they took: half of them, up to 95%"
      />
      <Details title="Show as a table">
        <CallsTable
          rows={days.toReversed().map((day) => ({key: day.start, head: dayText(day.start), totals: day}))}
          title="Day"
        />
      </Details>
    </Stack>
  )
}

type FigureProps = {
  title: string
  /** What the drawing shows in words. */
  text: string
  days: readonly DayOfCalls[]
  shapes: (day: DayOfCalls) => ReactNode
}

function Figure({title, text, days, shapes}: FigureProps) {
  const id = useId()
  return (
    <Stack gap={3}>
      <Strong id={id}>{title}</Strong>
      <Drawing
        aria-describedby={`${id}-text`}
        aria-labelledby={id}
        preserveAspectRatio="none"
        role="img"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      >
        {days.map((day, index) => (
          <g key={day.start} transform={`translate(${index * DAY_WIDTH + 1} 0)`}>
            <title>{`${dayText(day.start)}: ${totalsText(day)}`}</title>
            <rect fill="transparent" height={HEIGHT} width={DAY_WIDTH} />
            {shapes(day)}
          </g>
        ))}
      </Drawing>
      <Flex justify="space-between">
        <Text muted size={0}>
          {dayText(days[0]?.start ?? 0)}
        </Text>
        <Text muted size={0}>
          Today
        </Text>
      </Flex>
      <Text id={`${id}-text`} muted size={0}>
        {text}
      </Text>
    </Stack>
  )
}

function CallsBar({day: {calls, failed}, most}: {day: DayOfCalls; most: number}) {
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(VISIBLE, (count / most) * HEIGHT))
  const all = heightOf(calls)
  const bottom = heightOf(failed)
  return (
    <>
      <rect fill={COLORS.calls} height={all} width={BAR_WIDTH} y={HEIGHT - all} />
      <rect fill={COLORS.failed} height={bottom} width={BAR_WIDTH} y={HEIGHT - bottom} />
    </>
  )
}

/** From the bucket of the median to that of the 95th percentile. */
function DurationsBar({day: {p50, p95}}: {day: DayOfCalls}) {
  if (p50 === undefined || p95 === undefined) return null
  const top = bucketOf(p95) + 1
  const height = ((top - bucketOf(p50)) / BUCKETS) * HEIGHT
  return <rect fill={COLORS.calls} height={height} width={BAR_WIDTH} y={HEIGHT - (top / BUCKETS) * HEIGHT} />
}

function bucketOf(bound: number): number {
  const bucket = DURATION_BOUNDS.indexOf(bound)
  return bucket === -1 ? BUCKETS - 1 : bucket
}
