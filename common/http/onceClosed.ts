import type {ServerResponse} from 'node:http'

/**
 * Calls back once, when a response has been sent or aborted. The response may be closed already
 * (authentication is asynchronous), and Node emits 'close' only once.
 */
export function onceClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener()
  else response.once('close', listener)
}
