import type {ServerResponse} from 'node:http'

/**
 * Calls back when an answer is over, sent or not. That may be so before anybody wants to hear of it: who asks is looked
 * up first, and 'close' is told once.
 */
export function onceClosed(answer: ServerResponse, listener: () => void): void {
  if (answer.closed) listener()
  else answer.once('close', listener)
}
