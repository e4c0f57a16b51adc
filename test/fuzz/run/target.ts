import type fc from 'fast-check'
import type {Exchange} from '../wire/exchange.ts'
import type {Credentials, FuzzRequest} from '../wire/request.ts'
import type {ServerProcess} from './serverProcess.ts'

/** A server that is fuzzed, and what it needs around it. */
export type RunningTarget = {
  readonly server: ServerProcess
  readonly credentials: Credentials
  /** Judges what else must hold, such as the responses to visitors meanwhile. @throws Violation */
  checkMeanwhile(): void
  close(): Promise<void>
}

export type Target = {
  readonly name: string
  readonly requests: fc.Arbitrary<FuzzRequest>
  /** @throws Violation */
  judge(exchange: Exchange): void
  /** Starts the server with new content. */
  start(): Promise<RunningTarget>
}
