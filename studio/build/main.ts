import {readTarget} from '../target.ts'
import {buildForLake} from './forLake.ts'

/**
 * Builds the Studio of a lake with the content that SANITY_PROJECT_ID and SANITY_DATASET name, and exits. For
 * images.
 */
const fail = (message: string) => {
  console.error(message)
  process.exitCode = 1
}
await buildForLake(readTarget({...process.env, SANITY_API_HOST: '/'}), {
  info: (message) => console.log(message),
  warn: fail,
  error: fail,
}).done
