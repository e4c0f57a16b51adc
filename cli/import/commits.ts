import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {counted} from '../../common/text/counted.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {type Author, commitBody, fitAuthor, HANDRAIL} from '../../git/objects/commitObject.ts'
import {gitObject, type ObjectFormat, zeroId} from '../../git/objects/looseObjects.ts'
import {git, streamGit} from '../../git/process.ts'
import type {Write} from './writes.ts'

/** How long the whole import may take, in milliseconds. */
const TIMEOUT = 6 * 3_600_000
/** How long one command of Git may take besides that. */
const STEP_TIMEOUT = 120_000

type Import = {
  readonly folder: ContentDirectory
  /** The commit to build on; undefined in a repository without one. */
  readonly parent: string | undefined
  /** Contents of files that a repository without a commit also gets, by path. */
  readonly seed: ReadonlyMap<string, string>
  /** Asked when all is read: the ids of documents that are not written after all. */
  readonly leftOut: () => ReadonlySet<string>
  /** Names the source: `from backup.tar.gz`. */
  readonly origin: string
}

/**
 * Writes documents as a commit that no branch has, so that no reader sees them until a branch moves there. Their
 * contents go straight to Git; only paths stay in memory.
 * @returns the commit; undefined if there was nothing to write
 * @throws GitError, or what the iteration of `writes` throws
 */
export async function commitWrites(
  {folder, parent, seed, leftOut, origin}: Import,
  writes: AsyncIterable<Write>,
): Promise<string | undefined> {
  const {root, gitDir} = folder
  const format =
    (await git(root, ['rev-parse', '--show-object-format'])).trim() === 'sha256' ? 'sha256' : 'sha1'
  /** Lines for `git update-index --index-info`, by the id of the document. */
  const lines = new Map<string, string>()
  // Compressing well would take most of the time. `git gc` does so later.
  const args = ['-c', 'pack.compression=1', 'fast-import', '--quiet', '--done', '--depth=0']
  await streamGit(root, args, () => {}, {input: blobs(writes, format, lines), timeout: TIMEOUT})
  for (const id of leftOut()) lines.delete(id)
  const index = [...lines.values()]
  if (index.length === 0) return undefined
  const author = await committer(root)
  const indexFile = join(gitDir, `handrail-import-${process.pid}`)
  const options = {indexFile, timeout: STEP_TIMEOUT}
  try {
    await git(root, ['read-tree', parent ?? '--empty'], options)
    const documents = counted(index.length, 'document')
    if (parent === undefined) index.push(await seedLines(root, seed))
    await git(root, ['update-index', '--index-info'], {...options, input: index.join('')})
    const tree = (await git(root, ['write-tree'], options)).trim()
    const seconds = Math.floor(Date.now() / 1000)
    const message = `Import ${documents} ${origin}`
    const parents = parent === undefined ? [] : [parent]
    const body = commitBody({tree, parents, author, committer: author, seconds, message}).toString()
    return (await git(root, ['hash-object', '-t', 'commit', '-w', '--stdin'], {input: body})).trim()
  } finally {
    await rm(indexFile, {force: true})
  }
}

async function seedLines(root: string, seed: ReadonlyMap<string, string>): Promise<string> {
  let lines = ''
  for (const [path, text] of seed) {
    const blob = await git(root, ['hash-object', '-w', '--stdin'], {input: text})
    lines += `100644 ${blob.trim()}\t${path}\n`
  }
  return lines
}

/** Blobs for `git fast-import`. https://git-scm.com/docs/git-fast-import */
async function* blobs(
  writes: AsyncIterable<Write>,
  format: ObjectFormat,
  index: Map<string, string>,
): AsyncGenerator<string> {
  const gone = zeroId(format)
  for await (const {id, files, removed} of writes) {
    let lines = removed.map((path) => `0 ${gone}\t${path}\n`).join('')
    for (const [path, text] of files) {
      const body = Buffer.from(text)
      yield `blob\ndata ${body.length}\n${text}\n`
      lines += `100644 ${gitObject(format, 'blob', [body]).id}\t${path}\n`
    }
    index.set(id, lines)
  }
  yield 'done\n'
}

/** As `git commit` would name the person. */
async function committer(root: string): Promise<Author> {
  const ident = await git(root, ['var', 'GIT_COMMITTER_IDENT']).catch(() => '')
  const [, name = '', email = ''] = /^(.*) <(.*)> \d+ \S+$/.exec(ident.trim()) ?? []
  return name === '' ? HANDRAIL : fitAuthor({name, email})
}
