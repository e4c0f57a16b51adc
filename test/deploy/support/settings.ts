import {readFile} from 'node:fs/promises'
import {projectFile} from './files.ts'

/** Seconds that the service needs for requests in flight, beyond `DRAIN`. */
export const CLOSING = 10

/** Where the code reads settings from the environment. */
const PLACES = [
  'common/datasetSettings.ts',
  'service/settings.ts',
  'lake/settings.ts',
  'start.ts',
  'studio/serviceOrigin.ts',
]

/** The names of all settings that the code reads, by the file that reads them. Not those that it refuses. */
export async function readSettingNames(): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>()
  for (const place of PLACES) {
    const text = await readFile(projectFile(place), 'utf8')
    names.set(
      place,
      [...text.matchAll(/[\s{]([A-Z][A-Z_]+): (?!removed\()[a-z]/g)].map(([, name = '']) => name),
    )
  }
  return names
}

/** The defaults that are literals: numbers and texts. */
export async function readSettingDefaults(): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(PLACES.map((place) => readFile(projectFile(place), 'utf8')))
  const defaults = texts
    .join('\n')
    .matchAll(/[\s{]([A-Z][A-Z_]+): [a-z].*?default: (?:'(?<text>[^']+)'|(?<number>[\d_]+))/g)
  return new Map(
    Array.from(defaults, ({1: name = '', groups}) => [
      name,
      groups?.text ?? groups?.number?.replaceAll('_', '') ?? '',
    ]),
  )
}
