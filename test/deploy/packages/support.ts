import {execFile} from 'node:child_process'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {recordOf} from '../../support/answers.ts'

/** Names that people give folders, and more characters than Linux allows in the address of a socket. */
export const FOLDER = `Handrail für alle ${'lang '.repeat(25)}`

const runProgram = promisify(execFile)

/** A package in the `node_modules` of a folder that has nothing of the project. */
export type Installed = {
  /** The folder of the package. */
  readonly folder: string
  readonly manifest: JsonObject
  /** Its only command, as npm links it. */
  readonly command: string
}

/**
 * Installs a tarball with npm and without a registry. No other packages can be imported.
 * @param directory an empty folder outside of the project
 */
export async function install(tarball: string, directory: string): Promise<Installed> {
  const offline = ['--offline', '--cache', join(directory, 'cache'), '--no-audit', '--no-fund']
  await runProgram('npm', ['install', '--prefix', directory, ...offline, tarball], {cwd: directory})
  const [name = ''] = Object.keys(recordOf((await manifestIn(directory)).dependencies))
  const folder = join(directory, 'node_modules', name)
  const manifest = await manifestIn(folder)
  const [bin] = isJsonObject(manifest.bin) ? Object.keys(manifest.bin) : []
  return {folder, manifest, command: join(directory, 'node_modules/.bin', String(bin))}
}

async function manifestIn(folder: string): Promise<JsonObject> {
  return recordOf(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
}

/** What a program printed, and its exit code. */
export type Ran = {readonly code: number; readonly output: string}

/** Runs a file on the Node of the tests. */
export function run(
  file: string,
  args: readonly string[],
  {
    cwd,
    input = '',
    node = [],
    env: more,
  }: {cwd: string; input?: string; node?: readonly string[]; env?: Readonly<Record<string, string>>},
): Promise<Ran> {
  return new Promise((resolve) => {
    const env = {PATH: process.env.PATH, HOME: process.env.HOME, ...more}
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
