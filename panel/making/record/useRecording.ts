import {useEffect, useMemo, useState} from 'preact/hooks'
import {membersOf} from '../../../snippet/members.ts'
import {Exchanges} from './exchanges.ts'
import {isRead, record} from './recorder.ts'
import {watchForms} from './searches.ts'
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

/**
 * Finds requests that cannot be recorded: the page kept its own `fetch`, or sent them before the recording began.
 * @param isOwn whether an address is the service's
 * @returns a function that ends it
 */
function watchTimeline(exchanges: Exchanges, isOwn: (address: string) => boolean): () => void {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const {name, startTime} = entry
      const {initiatorType, contentType = ''} = membersOf(entry)
      const isRequest = initiatorType === 'fetch' || initiatorType === 'xmlhttprequest'
      const isData = isRead(String(contentType)) && !/html/i.test(String(contentType))
      // No other script has this type (https://html.spec.whatwg.org/#fetch-a-classic-worker-script).
      const isWorker = initiatorType === 'other' && /javascript/i.test(String(contentType))
      if (!(isWorker || (isRequest && isData)) || isOwn(name) || exchanges.has(name, startTime)) continue
      exchanges.begin(
        {method: 'GET', address: name, headers: []},
        isWorker ? 'worker' : 'timeline',
        startTime,
      )
    }
  })
  observer.observe({type: 'resource', buffered: true})
  return () => observer.disconnect()
}
