import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/** What a baseline sends: the bytes that the service sent, from the folder that the program is given. */
export const bodies = readBodies(process.argv[2] ?? '.')

export const CONTENT_TYPE = 'application/json; charset=utf-8'

/** One for all bodies: what a tag says plays no part here. */
export const ENTITY_TAG = '"bench"'

/** The body under this name has status 404. */
export const NOT_FOUND = '404.json'

function readBodies(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(names.map((name) => [`/${name}`, readFileSync(join(folder, name))]))
}
