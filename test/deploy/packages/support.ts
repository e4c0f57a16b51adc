import {execFile} from 'node:child_process'
import {mkdir, readFile, rename, symlink} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {projectFile} from '../support/files.ts'

const runProgram = promisify(execFile)

/** A package in the `node_modules` of a folder that has nothing of the project. */
export type Installed = {
  /** The folder of the package. */
  readonly folder: string
  readonly manifest: JsonObject
  /** The file of its only command. */
  readonly command: string
}

/**
 * Unpacks a tarball as npm does. The packages that it depends on are those of the project, and no others can be imported.
 * @param directory an empty folder outside of the project
 */
export async function install(tarball: string, directory: string): Promise<Installed> {
  const unpacked = join(directory, 'unpacked')
  await mkdir(unpacked, {recursive: true})
  await runProgram('tar', ['-xzf', tarball, '-C', unpacked])
  const manifest: unknown = JSON.parse(await readFile(join(unpacked, 'package/package.json'), 'utf8'))
  if (!isJsonObject(manifest)) throw new Error('package.json is not an object')
  const modules = join(directory, 'node_modules')
  const folder = join(modules, String(manifest.name))
  await mkdir(dirname(folder), {recursive: true})
  await rename(join(unpacked, 'package'), folder)
  for (const name of namesIn(manifest.dependencies)) {
    await mkdir(dirname(join(modules, name)), {recursive: true})
    await symlink(projectFile(`node_modules/${name}`), join(modules, name))
  }
  const [bin] = isJsonObject(manifest.bin) ? Object.values(manifest.bin) : []
  return {folder, manifest, command: join(folder, String(bin))}
}

function namesIn(dependencies: unknown): string[] {
  return isJsonObject(dependencies) ? Object.keys(dependencies) : []
}

/** What a program printed, and its exit code. */
export type Ran = {readonly code: number; readonly output: string}

/** Runs a file on the Node of the tests. */
export function run(
  file: string,
  args: readonly string[],
  {cwd, input = '', node = []}: {cwd: string; input?: string; node?: readonly string[]},
): Promise<Ran> {
  return new Promise((resolve) => {
    const env = {PATH: process.env.PATH, HOME: process.env.HOME}
    const child = execFile(process.execPath, [...node, file, ...args], {cwd, env}, (error, out, problems) =>
      resolve({code: error === null ? 0 : Number(error.code), output: out + problems}),
    )
    child.stdin?.end(input)
  })
}

const OLDER_NODE = `Object.defineProperty(process, 'versions', {value: {node: '20.20.2'}})
Object.defineProperty(process, 'version', {value: 'v20.20.2'})`

/** Options with which Node says that it is an older one. */
export const ON_OLDER_NODE = ['--import', `data:text/javascript,${encodeURIComponent(OLDER_NODE)}`]
