import {execFile} from 'node:child_process'
import {rmSync} from 'node:fs'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import type {TestContext} from 'node:test'
import {promisify} from 'node:util'

const run = promisify(execFile)

/** After each commit, Git checks whether to collect garbage, in a process that takes as long as the commit. */
const WITHOUT_MAINTENANCE = ['-c', 'maintenance.auto=false']

/** A real Git repository in a temporary folder. */
export type TestRepository = {
  readonly directory: string
  git(...args: string[]): Promise<string>
  /** Writes a file; anything but a string becomes JSON. */
  write(path: string, content: unknown): Promise<void>
  remove(path: string): Promise<void>
  /** Writes files (undefined deletes) and commits everything. `date` is in seconds since 1970. */
  commit(files: Record<string, unknown>, date?: number): Promise<string>
  /** Commits many files at once without writing them to the work tree, which would take seconds. */
  commitMany(files: Record<string, unknown>): Promise<void>
}

/**
 * A temporary folder, removed after the test, or after the test file if something was still writing to it.
 */
export async function temporaryFolder(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-lake-'))
  context.after(() => rm(directory, REMOVAL))
  folders.add(directory)
  return directory
}

const REMOVAL = {recursive: true, force: true, maxRetries: 3}

/** Hooks run in creation order: a lake that closes after its folder was removed writes to it once more. */
const folders = new Set<string>()
process.once('exit', () => {
  for (const directory of folders) rmSync(directory, REMOVAL)
})

export async function temporaryRepository(context: TestContext): Promise<TestRepository> {
  const directory = await temporaryFolder(context)
  const repository = testRepository(directory)
  await repository.git('init', '--quiet', '--initial-branch=main')
  return repository
}

/** Wraps an existing repository. */
export function testRepository(directory: string): TestRepository {
  const git = async (args: readonly string[], date?: number) => {
    const dates =
      date === undefined ? {} : {GIT_AUTHOR_DATE: `@${date} +0100`, GIT_COMMITTER_DATE: `@${date} +0100`}
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    const {stdout} = await run('git', [...identity, ...args], {
      cwd: directory,
      env: {...process.env, ...dates},
    })
    return stdout
  }
  const write = async (path: string, content: unknown) => {
    const file = join(directory, path)
    await mkdir(dirname(file), {recursive: true})
    await writeFile(
      file,
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    )
  }
  const remove = (path: string) => rm(join(directory, path), {recursive: true})
  return {
    directory,
    git: (...args) => git(args),
    write,
    remove,
    async commit(files, date) {
      const changes = Object.entries(files)
      await Promise.all(
        changes.map(([path, content]) => (content === undefined ? remove(path) : write(path, content))),
      )
      await git(['add', '--all'])
      await git(
        [...WITHOUT_MAINTENANCE, 'commit', '--quiet', '--allow-empty', '--message', 'Change content'],
        date,
      )
      return (await git(['rev-parse', 'HEAD'])).trim()
    },
    async commitMany(files) {
      const contents = Object.entries(files).map(([path, content]) => {
        const text = JSON.stringify(content)
        return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
      })
      const branch = (await git(['symbolic-ref', 'HEAD'])).trim()
      const start = `commit ${branch}\ncommitter Ada <ada@example.com> 9000 +0000\ndata 4\nmany\nfrom ${branch}^0\n`
      const importing = run('git', ['fast-import', '--quiet'], {cwd: directory})
      importing.child.stdin?.end(`${start}${contents.join('')}`)
      await importing
    },
  }
}
