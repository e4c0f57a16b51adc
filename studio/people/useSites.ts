import {useCallback} from 'react'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'
import {siteName} from '../parts/siteName.ts'
import type {Site} from './roles.ts'

const SITES = '*[_type == "site"] | order(lower(name)) {_id, name}'

const NONE: readonly Site[] = []

/** The sites that may be named in rights. Empty until they are loaded: ids are shown instead of names. */
export function useSites(): readonly Site[] {
  const client = useContent()
  const sites = useAnswer(
    useCallback(
      async (signal: AbortSignal) => {
        const options = {perspective: 'drafts', signal, tag: 'handrail.people'} as const
        const found = await client.fetch<{_id: string; name?: unknown}[]>(SITES, {}, options)
        return found.map(({_id, name}): Site => ({id: _id, name: siteName(name)}))
      },
      [client],
    ),
  )
  return sites.state === 'answered' ? sites.value : NONE
}
