import {useEffect, useMemo, useState} from 'preact/hooks'
import {record} from '../../traffic/recorder.ts'
import {Exchanges} from './exchanges.ts'
import {watchForms} from './searches.ts'
import {watchTimeline} from './timeline.ts'
import {watchTyped} from './typed.ts'

/** Milliseconds after which new requests are shown: some pages send hundreds. */
const SHOWN_AFTER = 250

/**
 * Records what the page asks servers for, and what a person types into it, while this is needed.
 * @param base of the service, which is left out
 */
export function useRecording(base: string, isNeeded: boolean): Exchanges {
  const [, setVersion] = useState(0)
  const exchanges = useMemo(() => {
    let isAnnounced = false
    const announce = () => {
      isAnnounced = false
      setVersion((version) => version + 1)
    }
    return new Exchanges(() => {
      if (!isAnnounced) setTimeout(announce, SHOWN_AFTER)
      isAnnounced = true
    })
  }, [])
  useEffect(() => {
    if (!isNeeded) return
    const watching = watchTyped()
    exchanges.typed = watching.typed
    const isOwn = (address: string) => address.startsWith(base)
    const ends = [
      record(exchanges, isOwn),
      watchTimeline(exchanges, isOwn),
      watchForms(watching.typed),
      watching.end,
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [isNeeded, base, exchanges])
  return exchanges
}
