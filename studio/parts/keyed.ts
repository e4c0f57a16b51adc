import {uuid} from '@sanity/uuid'
import type {Fields} from '../../schemas/record.ts'

/** A new entry of a list. */
export function entryOf(
  type: string,
  fields: Fields,
): Fields & {readonly _type: string; readonly _key: string} {
  return {...fields, _type: type, _key: uuid().slice(0, 12)}
}
