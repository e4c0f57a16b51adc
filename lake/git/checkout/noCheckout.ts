import {treeEntries} from '../read/treeEntries.ts'
import type {CatchUp} from './catchUp.ts'
import type {IndexLock} from './indexLock.ts'

/** Instead of the lock of an index: a bare repository has none. */
export const NO_INDEX: Pick<IndexLock, 'hold' | 'release' | 'recover'> = {
  hold: async () => true,
  release: async () => {},
  recover: async () => false,
}

/** Instead of updating index and work tree: a bare repository has neither. */
export function noCheckout(root: string): Pick<CatchUp, 'run'> {
  return {run: (paths) => treeEntries(root, 'HEAD', paths)}
}
