import {useSend} from '../live/useSend.ts'
import {type Send, useAccessSend} from './useAccess.ts'

/**
 * Changes something with one click, says whether that worked, and loads the list again.
 * @param reload loads what changed
 */
export function useChange(reload: () => void) {
  const send = useAccessSend()
  const {run, isBusy} = useSend()
  const change = (method: Parameters<Send>[0], path: string, done: string) => {
    void run(done, () => send(method, path)).then(reload)
  }
  return {change, isBusy}
}
