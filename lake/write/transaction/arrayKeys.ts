import {hash} from 'node:crypto'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import type {Patch} from '../patch/patch.ts'
import type {Mutation} from './mutation.ts'

/** Length of a key: 48 random bits, as Studio's keys. */
const KEY_LENGTH = 12

/** A path that selects one item of a list, such as `items[0]`. */
const ITEM_PATH = /\[-?\d+\]$/

/**
 * Adds a `_key` to each object in a list that has none, as `autoGenerateArrayKeys` requests.
 * @param seed of the keys: a request that is sent again with the same transaction id gets the same keys
 */
export function withArrayKeys(mutations: readonly Mutation[], seed: string): Mutation[] {
  let count = 0
  const nextKey = () => {
    const key = hash('sha256', `${seed} ${count}`).slice(0, KEY_LENGTH)
    count += 1
    return key
  }
  const item = (value: unknown): unknown => {
    if (!isJsonObject(value)) return keyed(value)
    const {_key = nextKey()} = value
    return {_key, ...members(value)}
  }
  const members = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, keyed(member)]))
  const keyed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(item)
    return isJsonObject(value) ? members(value) : value
  }
  const atPaths = (values: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(values).map(([path, value]) => [
        path,
        ITEM_PATH.test(path) ? item(value) : keyed(value),
      ]),
    )
  const inPatch = ({set, setIfMissing, insert, ...others}: Patch): Patch => ({
    ...others,
    ...(setIfMissing && {setIfMissing: atPaths(setIfMissing)}),
    ...(set && {set: atPaths(set)}),
    ...(insert && {insert: {...insert, items: insert.items.map(item)}}),
  })
  return mutations.map((mutation) => {
    if (mutation.kind === 'delete') return mutation
    if (mutation.kind === 'patch') return {...mutation, patch: inPatch(mutation.patch)}
    return {...mutation, document: members(mutation.document)}
  })
}
