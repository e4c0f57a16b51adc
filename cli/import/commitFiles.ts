import {git} from '../../git/process.ts'
import type {FileChanges} from '../changes.ts'

/** Git writes every changed file. */
const TIMEOUT = 600_000

/** Only exists while the commit is made. */
const REF = 'refs/handrail/commit'

type NewCommit = {
  /** Undefined in a repository without a commit. */
  readonly parent: string | undefined
  readonly message: string
  /** The person and the time, as `git var GIT_COMMITTER_IDENT` has them. */
  readonly committer: string
}

/**
 * Commits files on top of a commit. No branch has the new commit, so that no reader sees it before a branch moves there.
 * @throws GitError
 */
export async function commitFiles(
  directory: string,
  files: FileChanges,
  {parent, message, committer}: NewCommit,
): Promise<string> {
  const prefix = (await git(directory, ['rev-parse', '--show-prefix'])).trim()
  const parts = [`commit ${REF}\nmark :1\ncommitter ${committer}\n${data(message)}`]
  if (parent !== undefined) parts.push(`from ${parent}\n`)
  for (const [path, text] of files) {
    const name = quoted(prefix + path)
    parts.push(text === undefined ? `D ${name}\n` : `M 100644 inline ${name}\n${data(text)}`)
  }
  parts.push('\nget-mark :1\n')
  const options = {input: parts.join(''), timeout: TIMEOUT}
  const commit = await git(directory, ['fast-import', '--quiet', '--force'], options)
  await git(directory, ['update-ref', '-d', REF])
  return commit.trim()
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

/** https://git-scm.com/docs/git-fast-import#_filemodify */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
