import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/**
 * The bodies that a baseline sends: the bytes that the service sent, read from the folder in the arguments.
 */
export const bodies = readBodies(process.argv[2] ?? '.')

export const CONTENT_TYPE = 'application/json; charset=utf-8'

/** The same tag for all bodies, because its value does not matter here. */
export const ENTITY_TAG = '"bench"'

function readBodies(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(names.map((name) => [`/${name}`, readFileSync(join(folder, name))]))
}
