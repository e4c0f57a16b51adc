import type {LinkAction} from './link.ts'
import type {ReadingAction} from './reading.ts'
import type {RequestAction} from './request.ts'

/** What a tool does without a script of its own. */
export type Action = RequestAction | ReadingAction | LinkAction
