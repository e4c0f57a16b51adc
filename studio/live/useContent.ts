import {useMemo} from 'react'
import {useClient, usePerspective} from 'sanity'
import {textOf} from '../../schemas/rules/text.ts'

/** A client for the content that this Studio edits. */
export function useContent() {
  return useClient({apiVersion: API_VERSION})
}

/** A release that is shown in place of drafts. */
export type ShownRelease = {readonly name: string; readonly title: string}

/** The release that is chosen in the navbar; undefined for drafts and what is published. */
export function useRelease(): ShownRelease | undefined {
  const {selectedReleaseId: name, selectedPerspective: chosen} = usePerspective()
  const title = typeof chosen === 'object' ? textOf(chosen.metadata.title) : ''
  return useMemo(() => (name === undefined ? undefined : {name, title: title || name}), [name, title])
}

/** API version of queries. From this version on, they see drafts only if they request them. */
export const API_VERSION = '2025-02-19'
