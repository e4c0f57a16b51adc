import {Stack} from '@sanity/ui'
import {type ReactNode, useState} from 'react'
import {type StringInputProps, set} from 'sanity'
import {type Reach, reachOf, withReach} from '../../schemas/rules/paths/reach.ts'
import {Choice} from '../parts/fields.tsx'

const REACHES: readonly (readonly [Reach, string])[] = [
  ['every', 'Every page'],
  ['page', 'One page only'],
  ['below', 'One page and all below it'],
  ['pattern', 'A pattern of your own'],
]

/** The pages of a tool: a choice in words, and the pattern that it comes to. */
export function PatternInput(props: StringInputProps): ReactNode {
  const {value = '', readOnly = false, onChange} = props
  // "A pattern of your own" changes nothing, but stays chosen until something else is.
  const [chosen, setChosen] = useState<Reach | undefined>()
  const reach = chosen === 'pattern' ? chosen : reachOf(value)
  const choose = (reach: string) => {
    const [next] = REACHES.find(([known]) => known === reach) ?? []
    if (next === undefined) return
    setChosen(next)
    if (withReach(value, next) !== value) onChange(set(withReach(value, next)))
  }
  return (
    <Stack gap={2}>
      <Choice
        label="Which pages"
        of={REACHES}
        onChange={choose}
        readOnly={readOnly}
        testId="reach"
        value={reach}
      />
      {props.renderDefault(props)}
    </Stack>
  )
}
