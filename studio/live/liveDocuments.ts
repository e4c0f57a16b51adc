import {useEffect, useState} from 'react'
import type {Selection} from '../../advice/diagnosis/selection.ts'
import {followDocuments, type LiveDocuments} from './followDocuments.ts'
import {useContent} from './useContent.ts'

/**
 * The documents of a selection, updated when one of them changes. Memoize the selection. Undefined: sends no
 * request.
 */
export function useLiveDocuments(selection: Selection | undefined): LiveDocuments {
  const client = useContent()
  const [live, setLive] = useState<LiveDocuments>({state: 'waiting'})
  useEffect(() => {
    if (selection === undefined) return undefined
    setLive({state: 'waiting'})
    return followDocuments(client, selection, setLive)
  }, [client, selection])
  return live
}
