import {isRecord} from '../../../schemas/rules/json.ts'
import {accept, type Parsed, refuse} from '../../../schemas/rules/parsed.ts'
import {textOf} from '../../../schemas/rules/text.ts'

/**
 * Loads a text file of any website that allows it, in a worker: the policy of Studio's page, and what it makes of `fetch`,
 * keep the code of Studio from sending anything to other hosts.
 */
export function loadOutside(address: string): Promise<Parsed<string>> {
  const worker = new Worker(new URL('./fileWorker.ts', import.meta.url), {type: 'module'})
  return new Promise<Parsed<string>>((resolve) => {
    worker.onmessage = ({data}) =>
      resolve(
        isRecord(data) && data.ok === true
          ? accept(textOf(data.value))
          : refuse(isRecord(data) ? textOf(data.problem) : NOT_STARTED),
      )
    worker.onerror = () => resolve(refuse(NOT_STARTED))
    worker.postMessage(address)
  }).finally(() => worker.terminate())
}

const NOT_STARTED = 'Studio could not load the file. Download it, and choose it here instead.'
