import {useEffect, useState} from 'react'
import {useClient} from 'sanity'
import {recordsIn} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {siteName} from '../parts/siteName.ts'
import type {Site} from './roles.ts'

const SITES = '*[_type == "site"] | order(lower(name)) [0...500] {_id, name}'

/** The sites that may be named in rights. Empty until they are loaded. */
export function useSites(): readonly Site[] {
  const client = useClient({apiVersion: API_VERSION})
  const [sites, setSites] = useState<readonly Site[]>([])
  useEffect(() => {
    const stop = new AbortController()
    client
      .fetch<unknown>(SITES, {}, {perspective: 'drafts', signal: stop.signal, tag: 'handrail.people'})
      .then(
        (found) => setSites(recordsIn(found).map(siteOf)),
        // Ids are shown instead of names.
        () => {},
      )
    return () => stop.abort()
  }, [client])
  return sites
}

function siteOf({_id, name}: Record<string, unknown>): Site {
  return {id: textOf(_id), name: siteName(name)}
}
