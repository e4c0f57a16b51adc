import {Select, Stack} from '@sanity/ui'
import {type ReactNode, useEffect, useId, useState} from 'react'
import {type StringInputProps, set, useFormValue, useSource} from 'sanity'
import {namedPaths} from '../../schemas/diagnosis/page.ts'
import {otherTools} from '../../schemas/neighbours.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {type Reach, reachOf, withReach} from '../../schemas/rules/paths/reach.ts'

const REACHES: readonly (readonly [Reach, string])[] = [
  ['every', 'Every page'],
  ['page', 'One page only'],
  ['below', 'One page and all below it'],
  ['pattern', 'A pattern of your own'],
]

function isReach(value: string): value is Reach {
  return REACHES.some(([reach]) => reach === value)
}

/** The pages of a tool: a choice in words, and the pattern that it comes to. Suggests pages of the site’s other tools. */
export function PatternInput(props: StringInputProps): ReactNode {
  const {value = '', readOnly = false, onChange} = props
  const list = useId()
  const pages = usePages()
  // "A pattern of your own" changes nothing, but stays chosen until something else is.
  const [chosen, setChosen] = useState<Reach | undefined>()
  const reach = chosen === 'pattern' ? chosen : reachOf(value)
  const choose = (next: string) => {
    if (!isReach(next)) return
    setChosen(next)
    if (withReach(value, next) !== value) onChange(set(withReach(value, next)))
  }
  return (
    <Stack gap={2}>
      <Select
        aria-label="Which pages"
        data-testid="reach"
        fontSize={1}
        onChange={({currentTarget}) => choose(currentTarget.value)}
        readOnly={readOnly}
        value={reach}
      >
        {REACHES.map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </Select>
      {props.renderDefault({...props, elementProps: {...props.elementProps, ...{list}}})}
      <datalist id={list}>
        {pages.map((page) => (
          <option key={page} value={page} />
        ))}
      </datalist>
    </Stack>
  )
}

/** The pages that the patterns of the site's other tools name. */
function usePages(): readonly string[] {
  const document = useFormValue([])
  const {getClient} = useSource()
  const [pages, setPages] = useState<readonly string[]>([])
  const site = isRecord(document) && isRecord(document.site) ? document.site._ref : undefined
  const id = isRecord(document) && typeof document._id === 'string' ? document._id : undefined
  useEffect(() => {
    if (typeof site !== 'string' || id === undefined) return
    let isLeft = false
    void otherTools({getClient, document: {_id: id, site: {_ref: site}}}).then((tools) => {
      const named = tools.flatMap(({pattern}) => {
        const parsed = parsePathPattern(pattern)
        return parsed.ok ? namedPaths(parsed.value) : []
      })
      if (!isLeft) setPages([...new Set(named)].sort())
    })
    return () => {
      isLeft = true
    }
  }, [getClient, id, site])
  return pages
}
