import {membersOf} from '../../../snippet/members.ts'
import {isRead} from '../../traffic/recorder.ts'
import type {Exchanges} from './exchanges.ts'

/**
 * Finds requests that cannot be recorded: the page kept its own `fetch`, or sent them before the recording began.
 * @param isOwn whether an address is the service's
 * @returns a function that ends it
 */
export function watchTimeline(exchanges: Exchanges, isOwn: (address: string) => boolean): () => void {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const {name, startTime} = entry
      const {initiatorType, contentType = ''} = membersOf(entry)
      const isRequest = initiatorType === 'fetch' || initiatorType === 'xmlhttprequest'
      const isData = isRead(String(contentType)) && !/html/i.test(String(contentType))
      if (!isRequest || isOwn(name) || !isData || exchanges.has(name, startTime)) continue
      exchanges.begin({method: 'GET', address: name, headers: []}, 'timeline', startTime)
    }
  })
  observer.observe({type: 'resource', buffered: true})
  return () => observer.disconnect()
}
