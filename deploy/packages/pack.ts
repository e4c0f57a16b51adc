import {execFile} from 'node:child_process'
import {mkdir, readdir, rm, stat} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {promisify} from 'node:util'
import {buildForLake, studioDir} from '../../studio/build/forLake.ts'
import {writeContent} from './content/content.ts'
import {copyDependencies} from './dependencies.ts'
import {writeHandrail} from './handrail/handrail.ts'
import {ROOT} from './parts.ts'
import {writeServer} from './server/server.ts'

const run = promisify(execFile)

/** Milliseconds that npm may take to make a tarball. */
const PACK_TIMEOUT = 120_000

/**
 * Packs `handrail`. Builds Studio if that is not built.
 * @param output a folder, whose folder `handrail` is replaced
 * @returns the path of the tarball
 */
export function packHandrail(output: string): Promise<string> {
  return pack(output, 'handrail', async (folder) => {
    const content = {projectId: 'local', dataset: 'production'}
    const failures: string[] = []
    const fail = (message: string) => failures.push(message)
    const log = {info: () => {}, warn: fail, error: fail}
    await buildForLake(content, log).done
    const {studioDir: studio} = await studioDir(content)
    if (studio === undefined || failures.length > 0)
      throw new Error(`The package needs a built Studio. ${failures.join(' ') || 'Run "npm ci" first.'}`)
    await writeHandrail(folder, studio)
  })
}

/** Packs `@handrail/content`, in the same way. */
export function packContent(output: string): Promise<string> {
  return pack(output, 'content', writeContent)
}

/** Packs `@handrail/server`, in the same way. */
export function packServer(output: string): Promise<string> {
  return pack(output, 'server', writeServer)
}

async function pack(output: string, name: string, write: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(output, name)
  await rm(folder, {recursive: true, force: true})
  await mkdir(folder, {recursive: true})
  await write(folder)
  await copyDependencies(folder)
  const words = ['pack', '--silent', '--pack-destination', output]
  const {stdout} = await run('npm', words, {cwd: folder, timeout: PACK_TIMEOUT})
  return join(output, stdout.trim())
}

async function megabytesOf(path: string): Promise<string> {
  const files = (await stat(path)).isDirectory()
    ? (await readdir(path, {recursive: true})).map((name) => join(path, name))
    : [path]
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return `${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1)} MB`
}

async function main(): Promise<void> {
  const output = resolve(process.argv[2] ?? join(ROOT, '.handrail/packages'))
  for (const [name, make] of Object.entries({
    handrail: packHandrail,
    content: packContent,
    server: packServer,
  })) {
    const tarball = await make(output)
    console.log(
      `${tarball}: ${await megabytesOf(tarball)}, unpacked ${await megabytesOf(join(output, name))}`,
    )
  }
}

if (import.meta.main) void main()
