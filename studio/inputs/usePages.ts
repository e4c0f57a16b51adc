import {useMemo} from 'react'
import {useFormValue, useSource} from 'sanity'
import {namedPaths} from '../../advice/diagnosis/page.ts'
import {siteFacts} from '../../advice/otherTools.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {useAnswer} from '../live/useAnswer.ts'

/** The pages that the patterns of the site's other tools name. */
export function usePages(): readonly string[] {
  const {getClient} = useSource()
  const id = textOf(useFormValue(['_id']))
  const site = textOf(useFormValue(['site', '_ref']))
  const facts = useAnswer(
    useMemo(
      () => (site === '' ? undefined : () => siteFacts({getClient, document: {_id: id, site: {_ref: site}}})),
      [getClient, id, site],
    ),
  )
  if (facts.state !== 'answered') return []
  return [...new Set(facts.value.others.flatMap(({pattern}) => pagesOf(pattern)))].sort()
}

/** The pages that a pattern names. */
export function pagesOf(pattern: unknown): string[] {
  const parsed = parsePathPattern(pattern)
  return parsed.ok ? namedPaths(parsed.value) : []
}
