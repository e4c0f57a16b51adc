import {useEffect, useState} from 'preact/hooks'

/** Milliseconds until the website counts as unreachable. */
const TIMEOUT = 10_000

/**
 * The page that the website sends for this address: what scripts of the page add is not in it.
 * @returns undefined while it is not known, or not needed
 */
export function useSentPage(isNeeded: boolean): Document | undefined {
  const [sent, setSent] = useState<{address: string; page: Document}>()
  const address = location.href.replace(/#.*/, '')
  useEffect(() => {
    if (!isNeeded) return
    // As the tool requests it. No policy of the page may prevent its parser, as with `DOMParser`.
    const request = new XMLHttpRequest()
    request.open('GET', address)
    request.responseType = 'document'
    request.timeout = TIMEOUT
    request.onload = () => {
      if (request.status < 400 && request.response instanceof Document)
        setSent({address, page: request.response})
    }
    request.send()
    return () => request.abort()
  }, [isNeeded, address])
  return sent?.address === address ? sent.page : undefined
}
