import {useEffect, useState} from 'react'
import {useFormValue, useSource} from 'sanity'
import {namedPaths} from '../../schemas/diagnosis/page.ts'
import {siteFacts} from '../../schemas/otherTools.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'

/** The pages that the patterns of the site's other tools name. */
export function usePages(): readonly string[] {
  const document = useFormValue([])
  const {getClient} = useSource()
  const [pages, setPages] = useState<readonly string[]>([])
  const site = isRecord(document) && isRecord(document.site) ? document.site._ref : undefined
  const id = isRecord(document) && typeof document._id === 'string' ? document._id : undefined
  useEffect(() => {
    if (typeof site !== 'string' || id === undefined) return
    let isLeft = false
    void siteFacts({getClient, document: {_id: id, site: {_ref: site}}}).then(({others}) => {
      const named = others.flatMap(({pattern}) => pagesOf(pattern))
      if (!isLeft) setPages([...new Set(named)].sort())
    })
    return () => {
      isLeft = true
    }
  }, [getClient, id, site])
  return pages
}

/** The pages that a pattern names. */
export function pagesOf(pattern: unknown): string[] {
  const parsed = parsePathPattern(pattern)
  return parsed.ok ? namedPaths(parsed.value) : []
}
