import {Stack} from '@sanity/ui'
import {type ReactNode, useMemo, useState} from 'react'
import {knownPaths} from '../../../advice/diagnosis/page.ts'
import type {CheckedSite} from '../../../advice/diagnosis/site.ts'
import {groupVersions, type StoredDocument, type Versions} from '../../../schemas/documents.ts'
import {parsePage, type TypedPage} from '../../../schemas/rules/paths/page.ts'
import {addressesOfSite} from '../../install/siteAddresses.ts'
import {NotLoaded} from '../../live/notLoaded.tsx'
import {useCheckedSite} from '../../live/useCheckedSite.ts'
import {useRelease} from '../../live/useRelease.ts'
import {PageNote, PathField} from '../../parts/fields/pathField.tsx'

/** A page that a person chose, and what is known of its site. */
export type ChosenPage = {
  readonly page: TypedPage
  readonly checked: CheckedSite
  readonly documents: readonly StoredDocument[]
  readonly site: Versions | undefined
}

type ForPageProps = {siteId: string; hint?: string; children: (chosen: ChosenPage) => ReactNode}

/** Asks for a page of a site, and shows something about it. */
export function ForPage({siteId, ...others}: ForPageProps) {
  const live = useCheckedSite(siteId, useRelease()?.name)
  if (live.state !== 'ready') return <NotLoaded of={live} />
  const site = groupVersions(live.documents).find(({id}) => id === siteId)
  return <Chosen {...others} checked={live.site} documents={live.documents} site={site} />
}

type ChosenProps = Omit<ForPageProps, 'siteId'> & Omit<ChosenPage, 'page'>

function Chosen({hint = '', children, ...known}: ChosenProps) {
  const paths = useMemo(() => knownPaths(known.checked), [known.checked])
  const [typed, setTyped] = useState(() => paths[0] ?? '/')
  const page = parsePage(typed, addressesOfSite(known.site?.draft ?? known.site?.published))
  return (
    <Stack gap={5}>
      <PathField hint={hint} onChange={setTyped} path={typed} paths={paths} />
      <PageNote page={page} />
      {page.ok && children({...known, page: page.value})}
    </Stack>
  )
}
