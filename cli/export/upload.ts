import type {JsonObject} from '../../common/json.ts'
import type {Document} from '../../content/document.ts'
import type {Dataset} from '../transfer/dataset.ts'
import type {Progress} from '../transfer/progress.ts'
import {withRetries} from '../transfer/retry.ts'

/**
 * Limits of one transaction. Sanity recommends at most 500 kB:
 * https://www.sanity.io/docs/content-lake/technical-limits
 */
const MAX_DOCUMENTS = 200
const MAX_CHARACTERS = 400_000

/** How documents are written; each of these may be repeated. */
type Operation = 'createOrReplace' | 'createIfNotExists'

/**
 * Writes groups of documents in order. The documents of one group are in one transaction.
 * @throws CommandError; what was written before stays
 */
export async function upload(
  dataset: Dataset,
  groups: readonly (readonly Document[])[],
  operation: Operation,
  progress: Progress,
): Promise<void> {
  let batch: JsonObject[] = []
  let size = 0
  const send = async () => {
    if (batch.length === 0) return
    await mutate(dataset, batch)
    progress.add(batch.length)
    batch = []
    size = 0
  }
  for (const group of groups) {
    const mutations = group.map(({_rev, ...document}) => ({[operation]: document}))
    const length = JSON.stringify(mutations).length
    if (batch.length + group.length > MAX_DOCUMENTS || size + length > MAX_CHARACTERS) await send()
    batch.push(...mutations)
    size += length
  }
  await send()
}

/**
 * Deletes documents in order.
 * @throws CommandError; what was deleted before stays deleted
 */
export async function remove(dataset: Dataset, ids: readonly string[], progress: Progress): Promise<void> {
  for (let start = 0; start < ids.length; start += MAX_DOCUMENTS) {
    const batch = ids.slice(start, start + MAX_DOCUMENTS)
    await mutate(
      dataset,
      batch.map((id) => ({delete: {id}})),
    )
    progress.add(batch.length)
  }
}

async function mutate({client, label, onRetry}: Dataset, mutations: readonly JsonObject[]): Promise<void> {
  const {dataset} = client.config()
  await withRetries(label, onRetry, () =>
    client.request({
      url: `/data/mutate/${dataset}`,
      method: 'POST',
      query: {visibility: 'async'},
      body: {mutations},
    }),
  )
}
