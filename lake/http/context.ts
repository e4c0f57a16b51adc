import type {DocumentStore} from '../../content/store.ts'
import type {Access} from '../access/access.ts'
import type {Principal} from '../access/principal.ts'
import type {QueryEnvironment} from '../query/run.ts'

/** What route handlers use. They do not depend on a repository: any store works. */
export type LakeContext = {
  readonly store: DocumentStore
  readonly environment: QueryEnvironment
  readonly access: Access
}

/** The environment of a principal's queries, in which `identity()` is its id. */
export function environmentOf({environment}: LakeContext, principal: Principal): QueryEnvironment {
  return {...environment, identity: principal.id}
}
