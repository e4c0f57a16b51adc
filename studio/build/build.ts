import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises'
import {createRequire} from 'node:module'
import {dirname, extname, join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {brotliCompress, constants, gzip} from 'node:zlib'
import {errorMessage} from '../../common/errorMessage.ts'
import type {Target} from '../target.ts'
import {fingerprint, isFor} from './fingerprint.ts'

/** The log functions that a build uses. */
export type Log = {info(message: string): void; warn(message: string): void; error(message: string): void}

/** A build in the background. */
export type Build = {
  /** Resolves when Studio can be served, or the log says why it cannot. */
  readonly done: Promise<void>
  /** Stops it. */
  close(): Promise<void>
}

/** The root of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url))
/** What a build was made from. */
const FINGERPRINT = '.fingerprint'
/** Milliseconds that closing waits for a build to end. */
const CLOSE_DEADLINE = 1_000
/** Maximum length of the error output of Sanity's command line; the end of it is logged. */
const MAX_REPORT = 4_000

/** Builds Studio into a folder, unless it contains a build from the same files for the same target. */
export function buildWhenStale(directory: string, target: Target, log: Log): Build {
  const abort = new AbortController()
  const done = run(directory, target, log, abort.signal).catch((error: unknown) => {
    if (!abort.signal.aborted) log.error(`Studio cannot be built: ${errorMessage(error)}`)
  })
  return {
    done,
    close: async () => {
      abort.abort()
      // Compression in threads cannot be stopped. The next build removes leftover files.
      await Promise.race([done, setTimeout(CLOSE_DEADLINE, undefined, {ref: false})])
    },
  }
}

/** Whether the sources of Studio are here. A package of npm has only what was built from them. */
export function hasSources(): boolean {
  return existsSync(join(root, 'studio/sanity.config.ts'))
}

/** Whether a folder contains the Studio that these files give for this target. */
export async function isBuilt(directory: string, target: Target): Promise<boolean> {
  const found = await builtFrom(directory)
  if (found === undefined) return false
  return hasSources() ? found === (await fingerprint(root, target)) : isFor(target, found)
}

/** Why a build in a folder cannot be read, such as a wrong owner or mode; undefined if it can, or there is none. */
export async function unreadable(directory: string): Promise<string | undefined> {
  const failure: unknown = await readFile(join(directory, FINGERPRINT)).then(
    () => undefined,
    (error) => error,
  )
  const problem = failure === undefined ? undefined : errorMessage(failure)
  return problem?.startsWith('ENOENT') ? undefined : problem
}

async function run(directory: string, target: Target, log: Log, signal: AbortSignal): Promise<void> {
  await bundleWhenStale(directory, target, log, signal)
  const docs = join(root, 'docs')
  // An image has the guides that its Studio was built with, and no package that builds them.
  if (!existsSync(docs)) return
  const {buildHelp} = await import('./help.ts')
  await buildHelp(docs, join(directory, 'help'))
}

async function bundleWhenStale(
  directory: string,
  target: Target,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const wanted = await fingerprint(root, target)
  if ((await builtFrom(directory)) === wanted) return
  await mkdir(dirname(directory), {recursive: true})
  await withLock(`${directory}.lock`, signal, async () => {
    // Another process may have built it while this one waited.
    if ((await builtFrom(directory)) === wanted) return
    log.info('building Studio, which takes some seconds')
    const startedAt = Date.now()
    // An outdated Studio would save documents by an old schema: serve none until the build is done.
    await rm(directory, {recursive: true, force: true})
    const next = `${directory}.next`
    await bundle(next, target, signal)
    await takeOffline(next)
    const bytes = await compressAll(next)
    await writeFile(join(next, FINGERPRINT), wanted)
    await rm(directory, {recursive: true, force: true})
    await rename(next, directory)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    log.info(`Studio is built: ${seconds} s, ${(bytes / 1e6).toFixed(1)} MB compressed`)
  })
}

async function takeOffline(directory: string): Promise<void> {
  for (const entry of await readdir(directory, {withFileTypes: true, recursive: true})) {
    const strip = {'.html': withoutOutside, '.css': withoutOutsideFonts}[extname(entry.name)]
    if (strip === undefined) continue
    const path = join(entry.parentPath, entry.name)
    await writeFile(path, strip(await readFile(path, 'utf8')))
  }
}

async function builtFrom(directory: string): Promise<string | undefined> {
  return readFile(join(directory, FINGERPRINT), 'utf8').catch(() => undefined)
}

/** Runs Sanity's bundler in its own process, because it blocks the event loop for seconds. */
async function bundle(output: string, target: Target, signal: AbortSignal): Promise<void> {
  const manifest = createRequire(join(root, 'studio/package.json')).resolve('sanity/package.json')
  const child = spawn(process.execPath, [join(dirname(manifest), 'bin/sanity'), 'build', '-y', output], {
    cwd: join(root, 'studio'),
    env: {
      ...process.env,
      SANITY_PROJECT_ID: target.projectId,
      SANITY_DATASET: target.dataset,
      SANITY_API_HOST: target.apiHost ?? '',
      SERVICE_ORIGIN: target.serviceOrigin,
      NODE_ENV: 'production',
      // No telemetry and no update checks.
      DO_NOT_TRACK: '1',
      NO_UPDATE_NOTIFIER: '1',
      // Sanity's command line would keep the compiled configuration in the folder for temporary files.
      JITI_FS_CACHE: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  let report = ''
  const keep = (text: Buffer) => {
    report = (report + text.toString()).slice(-MAX_REPORT)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`sanity build exited with ${code}\n${report.trim()}`)
}

const COMPRESSIBLE = /\.(?:js|css|svg|json|txt|webmanifest)$/
/** Quality 9 takes a second in place of seven, and 8 % more bytes; the best one half a minute, and 2 % less. */
const BROTLI_QUALITY = 10

/**
 * Writes compressed copies of files that shrink: `NAME.br` and `NAME.gz`. Returns the total bytes to
 * transfer.
 */
export async function compressAll(directory: string): Promise<number> {
  let bytes = 0
  const entries = await readdir(directory, {withFileTypes: true, recursive: true})
  // zlib uses the thread pool: all files at once keep it busy.
  await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) return
      const path = join(entry.parentPath, entry.name)
      const content = await readFile(path)
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, {params: {[constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY}}),
        promisify(gzip)(content),
      ])
      bytes += br.byteLength
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
    }),
  )
  return bytes
}

/** Interval at which a lock that another process holds is checked, in milliseconds. */
const EVERY = 250

/**
 * Runs work while holding a lock, because builds share a folder to which Sanity writes. A lock whose process
 * has exited is taken over.
 */
export async function withLock<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) await setTimeout(EVERY, undefined, {signal})
  try {
    return await work()
  } finally {
    await rm(path, {force: true})
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), {flag: 'wx'})
    return true
  } catch {
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    // An empty lock file is about to be written.
    if (holder > 0 && !isAlive(holder)) await rm(path, {force: true})
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Fonts from other hosts. */
const OUTSIDE_FONT = /@font-face\s*\{[^}]*https?:\/\/[^}]*\}\s*/g

/**
 * Removes what Studio's page would fetch from other hosts: fonts, which system fonts replace, and the script
 * that connects Studio to Sanity's dashboard. Editors of a lake may be offline, and their visits stay
 * private.
 */
export function withoutOutside(html: string): string {
  return withoutOutsideFonts(html)
    .replace(/<script[^>]*\bsrc="(?:https?:)?\/\/[^>]*>\s*<\/script>\s*/g, '')
    .replace(/<link[^>]*\bhref="(?:https?:)?\/\/[^>]*>\s*/g, '')
}

/** Removes fonts from other hosts from a style sheet. */
export function withoutOutsideFonts(css: string): string {
  return css.replace(OUTSIDE_FONT, '')
}
