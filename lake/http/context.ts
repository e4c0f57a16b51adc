import type {Access} from '../access/access.ts'
import type {DocumentStore} from '../documents/store.ts'
import type {Environment} from '../query/run.ts'

/** What routes answer from. They know no repository: any store will do. */
export type LakeContext = {
  readonly store: DocumentStore
  readonly environment: Environment
  readonly access: Access
}
