import {useMemo} from 'react'
import {usePerspective} from 'sanity'
import {textOf} from '../../schemas/rules/text.ts'

/** A release that is shown in place of drafts. */
export type ShownRelease = {readonly name: string; readonly title: string}

/** The release that is chosen in the navbar; undefined for drafts and what is published. */
export function useRelease(): ShownRelease | undefined {
  const {selectedReleaseId: name, selectedPerspective: chosen} = usePerspective()
  const title = typeof chosen === 'object' ? textOf(chosen.metadata.title) : ''
  return useMemo(() => (name === undefined ? undefined : {name, title: title || name}), [name, title])
}
