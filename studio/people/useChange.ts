import {useToast} from '@sanity/ui/toast'
import {useState} from 'react'
import {type Send, useSend} from './useAccess.ts'

/**
 * Changes something with one click, says whether that worked, and loads the list again.
 * @param reload loads what changed
 */
export function useChange(reload: () => void) {
  const send = useSend()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const change = (method: Parameters<Send>[0], path: string, done: string) => {
    setBusy(true)
    send(method, path)
      .then(
        () => toast.push({status: 'success', title: done}),
        (error: Error) =>
          toast.push({status: 'error', title: 'Nothing was changed', description: error.message}),
      )
      .finally(() => {
        setBusy(false)
        reload()
      })
  }
  return {change, isBusy}
}
