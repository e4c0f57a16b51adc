import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import type {ContentDirectory} from '../../lake/git/contentDirectory.ts'
import {type Author, commitBody, fitAuthor, HANDRAIL} from '../../lake/git/objects/commitObject.ts'
import {gitObject, type ObjectFormat, zeroId} from '../../lake/git/objects/looseObjects.ts'
import {git, streamGit} from '../../lake/git/process.ts'
import {counted} from '../transfer/progress.ts'
import type {Write} from './writes.ts'

/** Maximum commits of an import. */
const MAX_COMMITS = 500

/**
 * Maximum of commits times documents: the cost of a commit, here and when a lake first reads the history, grows
 * with the number of documents in a folder.
 */
const MAX_COST = 2_000_000

/** Lengths of time whose documents may share a commit, in seconds: a minute, an hour, a day, 30 days, all. */
const SPANS = [1, 60, 3_600, 86_400, 2_592_000, Number.POSITIVE_INFINITY]

/** How long the whole import may take, in milliseconds. */
const TIMEOUT = 6 * 3_600_000
/** How long one command of Git may take besides that. */
const STEP_TIMEOUT = 120_000

export type Import = {
  readonly folder: ContentDirectory
  /** The commit to build on; undefined in a repository without one. */
  readonly parent: string | undefined
  /** Contents of files that the first commit of a repository also has, by path. */
  readonly seed: ReadonlyMap<string, string>
  /** Names the source: `from backup.tar.gz`. */
  readonly origin: string
}

/** Lines for `git update-index --index-info`: the changes of one document, and its date. */
type Entry = {readonly seconds: number; readonly lines: string}

/**
 * Writes documents as commits that no branch has, so that no reader sees them until a branch moves there. Documents
 * are grouped by their dates, which become the dates of the commits. Their contents go straight to Git; only
 * paths stay in memory.
 * @returns the last commit; undefined if there was nothing to write
 * @throws GitError, or what the iteration of `writes` throws
 */
export async function commitWrites(
  {folder, parent, seed, origin}: Import,
  writes: AsyncIterable<Write>,
): Promise<string | undefined> {
  const {root, gitDir} = folder
  const format =
    (await git(root, ['rev-parse', '--show-object-format'])).trim() === 'sha256' ? 'sha256' : 'sha1'
  const entries: Entry[] = []
  const first = {seconds: 0, files: seed, removed: []}
  // Compressing well would take most of the time. `git gc` does so later.
  const args = ['-c', 'pack.compression=1', 'fast-import', '--quiet', '--done', '--depth=0']
  const input = blobs(withFirst(parent === undefined ? [first] : [], writes), format, entries)
  await streamGit(root, args, () => {}, {input, timeout: TIMEOUT})
  const seedLines = parent === undefined ? (entries.shift()?.lines ?? '') : ''
  const author = await committer(root)
  const indexFile = join(gitDir, `handrail-import-${process.pid}`)
  const options = {indexFile, timeout: STEP_TIMEOUT}
  try {
    await git(root, ['read-tree', parent ?? '--empty'], options)
    let head = parent
    for (const group of groupByDate(entries)) {
      const lines = (head === undefined ? seedLines : '') + group.map((entry) => entry.lines).join('')
      await git(root, ['update-index', '--index-info'], {...options, input: lines})
      const tree = (await git(root, ['write-tree'], options)).trim()
      const seconds = group.reduce((latest, {seconds}) => Math.max(latest, seconds), 0)
      const message = `Import ${counted(group.length, 'document')} ${origin}`
      const parents = head === undefined ? [] : [head]
      const body = commitBody({tree, parents, author, committer: author, seconds, message}).toString()
      head = (await git(root, ['hash-object', '-t', 'commit', '-w', '--stdin'], {input: body})).trim()
    }
    return head === parent ? undefined : head
  } finally {
    await rm(indexFile, {force: true})
  }
}

/** Blobs for `git fast-import`. https://git-scm.com/docs/git-fast-import */
async function* blobs(
  writes: AsyncIterable<Write>,
  format: ObjectFormat,
  entries: Entry[],
): AsyncGenerator<string> {
  const gone = zeroId(format)
  for await (const {seconds, files, removed} of writes) {
    let lines = removed.map((path) => `0 ${gone}\t${path}\n`).join('')
    for (const [path, text] of files) {
      const body = Buffer.from(text)
      yield `blob\ndata ${body.length}\n${text}\n`
      lines += `100644 ${gitObject(format, 'blob', body).id}\t${path}\n`
    }
    entries.push({seconds, lines})
  }
  yield 'done\n'
}

async function* withFirst(first: readonly Write[], writes: AsyncIterable<Write>): AsyncGenerator<Write> {
  yield* first
  yield* writes
}

/** Groups entries of the same time, the oldest first; of the same longer time if there are many. */
function groupByDate(entries: readonly Entry[]): Entry[][] {
  const most = Math.max(1, Math.min(MAX_COMMITS, Math.floor(MAX_COST / entries.length)))
  for (const span of SPANS) {
    const groups = Map.groupBy(entries, ({seconds}) => Math.floor(seconds / span))
    if (groups.size <= most) return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group)
  }
  return []
}

/** As `git commit` would name the person. */
async function committer(root: string): Promise<Author> {
  const ident = await git(root, ['var', 'GIT_COMMITTER_IDENT']).catch(() => '')
  const [, name = '', email = ''] = /^(.*) <(.*)> \d+ \S+$/.exec(ident.trim()) ?? []
  return name === '' ? HANDRAIL : fitAuthor({name, email})
}
