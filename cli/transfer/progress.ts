import type {Console} from '../command.ts'

/** Milliseconds between two lines. */
const EVERY = 2_000

/**
 * Tells about every two seconds how many documents a step has done, so that short transfers are quiet.
 * @param step such as `read`
 * @returns counts documents
 */
export function progressOf({error: report}: Console, step: string, total?: number): (count?: number) => void {
  const of = total === undefined ? '' : ` of ${total}`
  let done = 0
  let told = performance.now()
  return (count = 1) => {
    done += count
    if (performance.now() - told < EVERY) return
    told = performance.now()
    report(`${done}${of} documents ${step}\n`)
  }
}
