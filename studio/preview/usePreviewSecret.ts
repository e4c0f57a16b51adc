import {useCallback, useEffect, useMemo, useRef, useState} from 'react'
import {useClient, useCurrentUser, useWorkspace} from 'sanity'
import type {Selection} from '../../schemas/diagnosis/selection.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {type Answer, useAnswer} from '../install/useAnswer.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {createSecret, deleteSecret, endPreviews, isValid, type PreviewSecret, secretsOf} from './secrets.ts'
import {remember} from './started.ts'

/** A secret for links to the pages of a site, and the links that the editor has made for it. */
export type PreviewLinks = {
  readonly secret: Answer<PreviewSecret>
  /** Call this when a link with the secret is opened or copied: it is kept then. */
  readonly use: () => void
  /** The number of links of this editor for this site that are valid. */
  readonly count: number
  /** Makes all of them invalid, and the secret too. */
  readonly end: () => Promise<void>
}

/**
 * Creates a secret, so that a click can open the link at once: browsers block windows that open later. If no link is
 * used, the secret is deleted.
 */
export function usePreviewSecret(publicId: string): PreviewLinks {
  const client = useClient({apiVersion: API_VERSION})
  const userId = useCurrentUser()?.id ?? ''
  const {basePath} = useWorkspace()
  const owner = useMemo(() => ({publicId, userId}), [publicId, userId])
  const studioUrl = new URL(basePath, location.origin).href
  const secret = useAnswer(
    useCallback(
      () => createSecret(client, owner, studioUrl).catch(failWithWords),
      [client, owner, studioUrl],
    ),
  )
  const id = secret.state === 'answered' ? secret.value.id : undefined
  const [usedId, setUsedId] = useState<string>()
  const kept = useRef<string>(undefined)
  useEffect(() => {
    if (id === undefined) return undefined
    return () => {
      // If it cannot be deleted, it expires after an hour. No link has it.
      if (kept.current !== id) deleteSecret(client, id).catch(() => {})
    }
  }, [client, id])

  const live = useLiveDocuments(
    useMemo((): Selection => {
      const {filter, params} = secretsOf(owner)
      return {query: filter, filter, params}
    }, [owner]),
  )
  const documents = live.state === 'ready' ? live.documents : []
  const valid = documents.filter(({_updatedAt}) => isValid(textOf(_updatedAt)))
  return {
    secret,
    use: () => {
      if (id === undefined) return
      kept.current = id
      setUsedId(id)
      remember(id, localStorage)
    },
    count: valid.filter(({_id}) => _id !== id || _id === usedId).length,
    end: () => endPreviews(client, owner),
  }
}

function failWithWords(error: unknown): never {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  throw new Error(
    status === 401 || status === 403
      ? 'You may not change content here, so you cannot make a link. Ask a colleague for one.'
      : 'Studio could not make a link. Check your connection, and open this dialog again.',
    {cause: error},
  )
}
