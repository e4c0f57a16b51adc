import {useEffect} from 'react'
import {useRouter} from 'sanity/router'
import type {UserComponent} from 'sanity/structure'
import {textOf} from '../../schemas/rules/text.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Waiting} from '../parts/lazily.tsx'

/** Leads from the lists of documents to the page of a site. */
export const ToSitePage: UserComponent = ({options}) => {
  const router = useRouter()
  const path = useAddresses().site(textOf(options?.siteId))
  // Replaces the entry of this pane, so that “back” leads to the list.
  useEffect(() => router.navigateUrl({path, replace: true}), [router, path])
  return <Waiting />
}
