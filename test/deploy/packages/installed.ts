import {readdir, readFile, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {projectFile} from '../support/files.ts'
import type {Installed} from './support.ts'

/** What npm installs with a package: its dependencies and theirs, in the versions of the project. */
export async function installedBytes({
  folder,
  manifest,
}: Installed): Promise<{bytes: number; names: string[]}> {
  const lock: unknown = JSON.parse(await readFile(projectFile('package-lock.json'), 'utf8'))
  const locked = isJsonObject(lock) && isJsonObject(lock.packages) ? lock.packages : {}
  const paths = new Set(dependenciesOf(manifest).flatMap((name) => placeOf(name, '', locked)))
  // A set iterates over what is added meanwhile.
  for (const path of paths)
    for (const name of dependenciesOf(locked[path]))
      for (const place of placeOf(name, path, locked)) paths.add(place)
  const sizes = await Promise.all([folder, ...[...paths].map(projectFile)].map(sizeOf))
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    names: [...paths].map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  }
}

function dependenciesOf(entry: unknown): string[] {
  if (!isJsonObject(entry)) return []
  const optional = isJsonObject(entry.peerDependenciesMeta) ? entry.peerDependenciesMeta : {}
  const peers = keysOf(entry.peerDependencies).filter((name) => !(name in optional))
  return [...keysOf(entry.dependencies), ...peers]
}

function keysOf(value: unknown): string[] {
  return isJsonObject(value) ? Object.keys(value) : []
}

/** Where Node finds a package from another one: in its own `node_modules`, or in one further up. */
function placeOf(name: string, from: string, locked: JsonObject): string[] {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const place = `${base === '' ? '' : `${base}/`}node_modules/${name}`
    if (place in locked) return [place]
    if (base === '') return []
  }
}

/** The size of the files of a package, without packages in it. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, {withFileTypes: true})
  const sizes = entries
    .filter(({name}) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? sizeOf(path) : stat(path).then(({size}) => size)
    })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
