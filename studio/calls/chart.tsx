import {Flex, Stack, Text} from '@sanity/ui'
import {useId} from 'react'
import {styled} from 'styled-components'
import {Details, Strong} from '../parts/layout.tsx'
import {DAYS} from './report.ts'
import type {DayOfCalls, Totals} from './summary.ts'
import {CallsTable} from './table.tsx'
import {countText, dayText, lastDaysText, totalsText} from './words.ts'

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

/** The calls of each day, and how many of them failed: drawn, and with their durations as a table. */
export function CallsChart({days, totals}: CallsChartProps) {
  const id = useId()
  const most = Math.max(1, ...days.map(({calls}) => calls))
  return (
    <Stack data-testid="calls-chart" gap={4}>
      <Stack gap={3}>
        <Strong id={id}>Calls a day, failed ones at the bottom</Strong>
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
              <Bar color={COLORS.calls} share={day.calls / most} />
              <Bar color={COLORS.failed} share={day.failed / most} />
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
          {`${lastDaysText(totals)}. At most ${countText(most)} on one day.`}
        </Text>
      </Stack>
      <Details title="Show as a table">
        <CallsTable
          rows={days.toReversed().map((day) => ({key: day.start, head: dayText(day.start), totals: day}))}
          title="Day"
        />
      </Details>
    </Stack>
  )
}

function Bar({color, share}: {color: string; share: number}) {
  const height = share === 0 ? 0 : Math.max(VISIBLE, share * HEIGHT)
  return <rect fill={color} height={height} width={BAR_WIDTH} y={HEIGHT - height} />
}
