import {execFile} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import type {TestContext} from 'node:test'
import {promisify} from 'node:util'
import {git, runGitSeparately} from '../../../git/process.ts'
import {shared} from '../../runner/shared.ts'
import {type FolderCopy, readFolder, writeFolder} from './folderCopy.ts'

const run = promisify(execFile)

/**
 * Runs Git for all lakes of this process. Each would start a process of its own for that, which costs more than a
 * lake's commands of Git.
 */
export const gitLauncher = shared(async () => {
  runGitSeparately()
  // The process starts with the first command, and ends with this one.
  await git(tmpdir(), ['--version'])
  return {close: async () => {}}
})

/**
 * Commits everything in a work tree and prints the commit. Starting a process from one as large as a test's costs more
 * than Git does, so one shell starts the three. After each commit, Git checks whether to collect garbage, in a process
 * that takes as long as the commit: not here.
 */
const COMMIT_ALL = `git add --all &&
  git -c user.name=Ada -c user.email=ada@example.com -c maintenance.auto=false \\
    commit --quiet --allow-empty --message 'Change content' &&
  git rev-parse HEAD`

/** A real Git repository in a temporary folder: bare, as that of a lake, or with a work tree, as a person's clone. */
export type TestRepository = {
  readonly directory: string
  git(...args: string[]): Promise<string>
  /** Writes a file into the folder; anything but a string becomes JSON. */
  write(path: string, content: unknown): Promise<void>
  remove(path: string): Promise<void>
  /**
   * Commits files; undefined deletes. In a work tree, writes them there, and commits everything.
   * @param date in seconds since 1970
   */
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

/** A bare repository without a commit. */
export async function temporaryRepository(context: TestContext): Promise<TestRepository> {
  const directory = await temporaryFolder(context)
  await createRepository(directory)
  return testRepository(directory)
}

/** A repository with a work tree and without a commit. */
export async function temporaryWorkTree(context: TestContext): Promise<TestRepository> {
  const directory = await temporaryFolder(context)
  const gitDir = join(directory, '.git')
  await createRepository(gitDir)
  const config = join(gitDir, 'config')
  await writeFile(config, (await readFile(config, 'utf8')).replace('bare = true', 'bare = false'))
  return testRepository(directory)
}

/** A person's clone of a repository. */
export async function cloneOf(context: TestContext, {directory}: TestRepository): Promise<TestRepository> {
  const clone = join(await temporaryFolder(context), 'clone')
  await run('git', ['clone', '--quiet', '--template=', directory, clone])
  return testRepository(clone)
}

/** Stores each object in a file of its own, so that a test can damage it. */
export async function unpack({directory}: TestRepository): Promise<void> {
  const folder = join(directory, 'objects/pack')
  const packs = new Map<string, Buffer>()
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    if (name.endsWith('.pack')) packs.set(name, await readFile(file))
    // Git would not write objects that it finds in a pack.
    await rm(file, {force: true})
  }
  for (const pack of packs.values()) {
    const unpacking = run('git', ['unpack-objects', '-q'], {cwd: directory})
    unpacking.child.stdin?.end(pack)
    await unpacking
  }
}

/** Makes a folder a bare repository. */
export async function createRepository(directory: string): Promise<void> {
  emptyRepository ??= readEmptyRepository()
  writeFolder(directory, await emptyRepository)
}

/** What `git init` creates. Writing the same files again takes no process. */
let emptyRepository: Promise<FolderCopy> | undefined

async function readEmptyRepository(): Promise<FolderCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-empty-'))
  try {
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', '--template=', directory])
    await run('git', ['config', 'core.logAllRefUpdates', 'true'], {cwd: directory})
    return await readFolder(directory)
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
  const gitHere = (...args: string[]) =>
    start('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args])
  const write = async (path: string, content: unknown) => {
    const file = join(directory, path)
    await mkdir(dirname(file), {recursive: true})
    await writeFile(file, bytesOf(content))
  }
  const remove = (path: string) => rm(join(directory, path), {recursive: true})
  /** Commits without index and work tree, in one process. */
  const importFiles = async (files: Record<string, unknown>, date: string) => {
    const gitDir = existsSync(join(directory, '.git')) ? join(directory, '.git') : directory
    const branch = branchAt(gitDir)
    const parts = [
      `commit ${branch.name}\nmark :1\ncommitter Ada <ada@example.com> ${date}\n${dataOf('Change content\n')}`,
      ...(branch.exists ? [`from ${branch.name}^0\n`] : []),
      ...Object.entries(files).map(([path, content]) =>
        content === undefined
          ? `D ${quoted(path)}\n`
          : Buffer.concat([Buffer.from(`M 100644 inline ${quoted(path)}\n`), dataOf(content)]),
      ),
      '\nget-mark :1\n',
    ]
    // The objects stay in one pack: taking it apart would be another process.
    const settings = ['-c', 'fastimport.unpackLimit=1', '-c', 'core.fsync=none']
    const importing = run('git', [...settings, 'fast-import', '--quiet', '--date-format=raw'], {
      cwd: directory,
    })
    importing.child.stdin?.end(Buffer.concat(parts.map((part) => Buffer.from(part))))
    return (await importing).stdout.trim()
  }
  return {
    directory,
    git: gitHere,
    write,
    remove,
    async commit(files, date) {
      if (!existsSync(join(directory, '.git')))
        return importFiles(
          files,
          date === undefined ? `${Math.floor(Date.now() / 1000)} +0000` : `${date} +0100`,
        )
      const changes = Object.entries(files)
      await Promise.all(
        changes.map(([path, content]) => (content === undefined ? remove(path) : write(path, content))),
      )
      const when = `@${date} +0100`
      const dates = date === undefined ? {} : {GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when}
      return (await start('sh', ['-c', COMMIT_ALL], dates)).trim()
    },
    async commitMany(files) {
      await importFiles(files, '9000 +0000')
    },
  }
}

function bytesOf(content: unknown): Buffer {
  if (Buffer.isBuffer(content)) return content
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
}

function dataOf(content: unknown): Buffer {
  const bytes = bytesOf(content)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

/** https://git-scm.com/docs/git-fast-import#_filemodify */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

/** The branch that HEAD is on, and whether it has a commit. */
function branchAt(gitDir: string): {name: string; exists: boolean} {
  const [, name = 'HEAD'] = /^ref: (.*)/.exec(readFileSync(join(gitDir, 'HEAD'), 'utf8')) ?? []
  const packed = join(gitDir, 'packed-refs')
  const isPacked = existsSync(packed) && readFileSync(packed, 'utf8').includes(` ${name}\n`)
  return {name, exists: isPacked || existsSync(join(gitDir, name))}
}
