import {execFile} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join, relative} from 'node:path'
import type {TestContext} from 'node:test'
import {promisify} from 'node:util'

const run = promisify(execFile)

/**
 * Commits everything and prints the commit. Starting a process from one as large as a test's costs more than Git
 * does, so one shell starts the three. After each commit, Git checks whether to collect garbage, in a process that
 * takes as long as the commit: not here.
 */
const COMMIT_ALL = `git add --all &&
  git -c user.name=Ada -c user.email=ada@example.com -c maintenance.auto=false \\
    commit --quiet --allow-empty --message 'Change content' &&
  git rev-parse HEAD`

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

/** A temporary folder, removed at the end of the test. */
export async function temporaryFolder(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-lake-'))
  // Hooks run in the order of their creation. One that a hook creates runs after all others: what a lake writes while
  // it closes is removed, too.
  context.after(() => context.after(() => rm(directory, REMOVAL)))
  return directory
}

const REMOVAL = {recursive: true, force: true, maxRetries: 3}

export async function temporaryRepository(context: TestContext): Promise<TestRepository> {
  const directory = await temporaryFolder(context)
  emptyRepository ??= readEmptyRepository()
  const entries = await emptyRepository
  // A folder comes before what is in it.
  for (const {path, content} of entries) {
    if (content === undefined) mkdirSync(join(directory, path))
    else writeFileSync(join(directory, path), content)
  }
  return testRepository(directory)
}

/** A file of a new repository, or a folder, which has no content. */
type Entry = {readonly path: string; readonly content: Buffer | undefined}

/** What `git init` creates. Writing the same files again takes no process. */
let emptyRepository: Promise<readonly Entry[]> | undefined

async function readEmptyRepository(): Promise<readonly Entry[]> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-empty-'))
  try {
    await run('git', ['init', '--quiet', '--initial-branch=main', '--template=', directory])
    const entries = await readdir(directory, {recursive: true, withFileTypes: true})
    const found = await Promise.all(
      entries.map(async (entry) => {
        const file = join(entry.parentPath, entry.name)
        return {
          path: relative(directory, file),
          content: entry.isDirectory() ? undefined : await readFile(file),
        }
      }),
    )
    return found.toSorted((a, b) => a.path.length - b.path.length)
  } finally {
    await rm(directory, REMOVAL)
  }
}

/** Wraps an existing repository. */
export function testRepository(directory: string): TestRepository {
  const start = async (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const {stdout} = await run(program, args, {cwd: directory, env: {...process.env, ...env}})
    return stdout
  }
  const git = (...args: string[]) =>
    start('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args])
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
    git,
    write,
    remove,
    async commit(files, date) {
      const changes = Object.entries(files)
      await Promise.all(
        changes.map(([path, content]) => (content === undefined ? remove(path) : write(path, content))),
      )
      const when = `@${date} +0100`
      const dates = date === undefined ? {} : {GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when}
      return (await start('sh', ['-c', COMMIT_ALL], dates)).trim()
    },
    async commitMany(files) {
      const contents = Object.entries(files).map(([path, content]) => {
        const text = JSON.stringify(content)
        return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
      })
      const branch = (await git('symbolic-ref', 'HEAD')).trim()
      const start = `commit ${branch}\ncommitter Ada <ada@example.com> 9000 +0000\ndata 4\nmany\nfrom ${branch}^0\n`
      const importing = run('git', ['fast-import', '--quiet'], {cwd: directory})
      importing.child.stdin?.end(`${start}${contents.join('')}`)
      await importing
    },
  }
}
