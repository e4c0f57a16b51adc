import type {JsonObject} from '../../common/json.ts'
import type {Console} from '../command.ts'
import {askDataset, type Dataset} from '../transfer/dataset.ts'
import {progressOf} from '../transfer/progress.ts'

/**
 * Limits of one transaction. Sanity recommends at most 500 kB:
 * https://www.sanity.io/docs/content-lake/technical-limits
 */
const MAX_MUTATIONS = 200
const MAX_CHARACTERS = 400_000

/** Milliseconds for one transaction. */
const TIMEOUT = 60_000

/**
 * Applies groups of mutations in order. Those of one group are in one transaction.
 * @param done such as `written`
 * @throws CommandError; what was applied before stays
 */
export async function mutate(
  dataset: Dataset,
  groups: readonly (readonly JsonObject[])[],
  done: string,
  console: Console,
): Promise<void> {
  const progress = progressOf(console, done, groups.flat().length)
  let mutations: JsonObject[] = []
  let size = 0
  const sendBatch = async () => {
    if (mutations.length === 0) return
    const path = `data/mutate/${dataset.name}?visibility=async`
    const init = {method: 'POST', body: JSON.stringify({mutations}), signal: AbortSignal.timeout(TIMEOUT)}
    await (await askDataset(dataset, path, init, console)).text()
    progress(mutations.length)
    mutations = []
    size = 0
  }
  for (const group of groups) {
    const {length} = JSON.stringify(group)
    if (mutations.length + group.length > MAX_MUTATIONS || size + length > MAX_CHARACTERS) await sendBatch()
    mutations.push(...group)
    size += length
  }
  await sendBatch()
}
