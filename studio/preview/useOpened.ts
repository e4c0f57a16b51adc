import {useEffect, useState} from 'react'
import {fetchOpened} from '../install/service.ts'
import {followOpened, type Opened} from './opened.ts'

/**
 * Follows whether a page shows the preview.
 * @param code of the link that was opened. Undefined: none was.
 */
export function useOpened(publicId: string, code: string | undefined): Opened | undefined {
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    if (code === undefined) return undefined
    const stop = new AbortController()
    void followOpened(() => fetchOpened(publicId, code, stop.signal), setOpened, stop.signal)
    return () => stop.abort()
  }, [publicId, code])
  return code === undefined ? undefined : opened
}
