import {useEffect, useLayoutEffect, useRef} from 'react'
import {getPublishedId, getVersionFromId, useDocumentOperation, useFormValue} from 'sanity'
import {useKeptCaret} from './keptCaret.ts'
import {NotSaved} from './notSaved.tsx'

/**
 * Keeps what is typed in the form of a document, and where. Shows what is not saved.
 * @param id as the form has it
 */
export function KeptText({id, type}: {id: string; type: string}) {
  // Renders this with each change.
  useFormValue([])
  const documentId = getPublishedId(id)
  useKeptCaret()
  useSavesOnLeave(documentId, type, getVersionFromId(id))
  return <NotSaved documentId={documentId} />
}

/**
 * Saves what was typed in the last second before somebody leaves the page, or Studio the form: it does when a session has
 * ended. Studio itself collects changes for a second.
 */
function useSavesOnLeave(documentId: string, type: string, version: string | undefined): void {
  const {commit} = useDocumentOperation(documentId, type, version)
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  }, [commit])
  // In a layout effect: when the other effects end, the form has left the document.
  useLayoutEffect(
    () => () => {
      if (!latest.current.disabled) latest.current.execute()
    },
    [],
  )
  useEffect(() => {
    const save = () => {
      if (!commit.disabled) commit.execute()
    }
    const leave = () => {
      // Some fields hand over their text only then.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      save()
    }
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', save)
    return () => {
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', save)
    }
  }, [commit])
}
