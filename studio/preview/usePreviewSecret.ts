import {useEffect, useMemo, useRef} from 'react'
import {useCurrentUser, useWorkspace} from 'sanity'
import {textOf} from '../../schemas/rules/text.ts'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'
import type {ShownRelease} from '../live/useRelease.ts'
import {browserItems} from '../saving/storage.ts'
import {createSecret, deleteSecret, endPreviews, isValid, secretsOf} from './secrets.ts'
import {startedPreviews} from './started.ts'

/** Milliseconds after which a link that was not used is replaced by another one: its time would soon be over. */
const REPLACE_AFTER = 5 * 60_000

/**
 * A secret for the next link to the pages of a site, and the previews that the editor has started of it. The secret is
 * created before it is needed, so that a click can open the link at once: browsers block windows that open later. A secret
 * whose link is not used is deleted.
 */
export function usePreviewSecret(publicId: string, release: ShownRelease | undefined) {
  const client = useContent()
  const userId = useCurrentUser()?.id ?? ''
  const {basePath} = useWorkspace()
  const owner = useMemo(() => ({publicId, userId}), [publicId, userId])
  const studioUrl = new URL(basePath, location.origin).href
  const answer = useAnswer(
    useMemo(
      () => () => createSecret(client, owner, studioUrl, release).catch(failWithWords),
      [client, owner, studioUrl, release],
    ),
    // A link stays where it is until there is another one.
    {subject: `${publicId} ${release?.name}`},
  )
  const {reload} = answer
  const secret = answer.state === 'answered' ? answer.value : undefined
  const id = secret?.id
  const used = useRef(new Set<string>())
  useEffect(() => {
    if (id === undefined) return undefined
    const timer = setTimeout(reload, REPLACE_AFTER)
    return () => {
      clearTimeout(timer)
      // If it cannot be deleted, it expires after an hour. No link has it.
      if (!used.current.has(id)) deleteSecret(client, id).catch(() => {})
    }
  }, [client, id, reload])

  const live = useLiveDocuments(useMemo(() => secretsOf(owner), [owner]))
  const documents = live.state === 'ready' ? live.documents : []
  const valid = documents.filter(({_updatedAt}) => isValid(textOf(_updatedAt)))
  return {
    /** Undefined: there is none yet. */
    secret,
    /** Why there is none, in words for an editor. */
    problem: answer.state === 'failed' ? answer.problem : undefined,
    /**
     * Call this when the link is opened or copied: its secret is kept then, and another one is made for the next link.
     * Returns false if the link was used before: it works once.
     */
    use: (): boolean => {
      if (id === undefined || used.current.has(id)) return false
      used.current.add(id)
      startedPreviews.add({id}, browserItems)
      reload()
      return true
    },
    /** The number of links of this editor for this site that are valid. */
    count: valid.filter(({_id}) => _id !== id).length,
    /** Makes all of them invalid, and the secret too: another one is made. */
    end: async () => {
      await endPreviews(client, owner)
      if (id !== undefined) used.current.add(id)
      reload()
    },
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
