import {useEffect, useState} from 'react'
import {fetchOpened} from '../install/service.ts'
import {followOpened, type Opened} from './opened.ts'

/**
 * Follows whether a page shows the preview.
 * @param code of the link that was opened. Undefined: none was.
 */
export function useOpened(origin: string, publicId: string, code: string | undefined): Opened | undefined {
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    if (code === undefined) return undefined
    const stop = new AbortController()
    void followOpened(() => fetchOpened(origin, publicId, code, stop.signal), setOpened, stop.signal)
    return () => stop.abort()
  }, [origin, publicId, code])
  return opened
}
