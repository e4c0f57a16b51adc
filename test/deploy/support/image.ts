import assert from 'node:assert/strict'
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {cp} from 'node:fs/promises'
import {basename, join} from 'node:path'
import type {TestContext} from 'node:test'
import {temporaryFolder} from '../../lake/support/git.ts'
import {freePort} from '../../support/network/ports.ts'
import type {Stage} from './dockerfile.ts'
import {projectFile} from './files.ts'

/** A folder with the files of an image, and a process in it that runs as in a container. */
export type RunningImage = {
  address: string
  /** Runs the image's health check, and returns its exit code. */
  checkHealth(): Promise<number>
  /** Its output. */
  said(): string
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number>
}

/**
 * Runs a stage without Docker: only its files in a folder, its command, its variables.
 * @param made the output of other stages, by name.
 */
export async function runImage(
  t: TestContext,
  stage: Stage,
  portVariable: string,
  environment: Record<string, string>,
  made: Record<string, (dir: string) => Promise<void>> = {},
): Promise<RunningImage> {
  const dir = await temporaryFolder(t)
  for (const {from, sources, target} of stage.copies) {
    if (from === undefined) await copy(sources, join(dir, target))
    else if (!target.startsWith('/')) await made[from]?.(dir)
  }
  const port = await freePort()
  const {PATH, HOME} = process.env
  const env = {PATH, HOME, ...stage.env, ...environment, [portVariable]: String(port)}
  const run = (words: string[]): ChildProcess => {
    // In the image, this is the image's Node.
    const [first = '', ...rest] = words.filter((word) => !/tini$|^--$/.test(word))
    const args = basename(first) === 'node' ? rest : [first, ...rest]
    const child = spawn(process.execPath, args, {cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe']})
    t.after(() => child.kill('SIGKILL'))
    return child
  }
  const main = run([...stage.entrypoint, ...stage.command])
  let said = ''
  for (const stream of [main.stdout, main.stderr])
    stream?.on('data', (text: Buffer) => {
      said += text.toString()
    })
  return {
    address: `http://127.0.0.1:${port}`,
    said: () => said,
    checkHealth: () => exitOf(run(stage.healthcheck)),
    stop() {
      main.kill('SIGTERM')
      return exitOf(main)
    },
  }
}

async function copy(sources: string[], target: string): Promise<void> {
  const filter = (path: string) => !/[\\/](?:node_modules|dist|\.sanity)$/.test(path)
  for (const source of sources) {
    const place = target.endsWith('/') || sources.length > 1 ? join(target, basename(source)) : target
    await cp(projectFile(source), place, {recursive: true, filter})
  }
}

async function exitOf(child: ChildProcess): Promise<number> {
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
  assert.ok(typeof code === 'number', 'the container stopped on its own')
  return code
}
