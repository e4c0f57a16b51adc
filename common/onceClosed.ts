import type {ServerResponse} from 'node:http'

/**
 * Calls back once, when a response is over, sent or not. The response may have closed before this is called
 * (authentication is asynchronous), and Node emits 'close' only once.
 */
export function onceClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener()
  else response.once('close', listener)
}
