import {evaluate, parse} from 'groq-js'
import type {JsonObject} from '../../../common/json.ts'
import {environment} from '../support/documents.ts'

/** The result of plain groq-js, which scans every document, as a client receives it. */
export async function plainly(
  query: string,
  params: JsonObject,
  dataset: readonly JsonObject[],
): Promise<unknown> {
  const {identity} = environment
  const value = await evaluate(parse(query, {params}), {dataset, params, identity, sanity: environment})
  return json(await value.get())
}

/** A value as a client receives it. */
export function json(value: unknown): unknown {
  const parsed: unknown = JSON.parse(JSON.stringify(value ?? null))
  return parsed
}
