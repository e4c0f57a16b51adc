import {git} from '../../git/process.ts'
import {moveBranch} from '../moveBranch.ts'

/** The files to change in a commit: their content, or undefined to delete them. */
type Files = ReadonlyMap<string, string | undefined>

const SUBJECT = 'Format the content'
const BODY = 'Long texts are files of their own, and keys are sorted. What is served stays the same.'

/**
 * Commits files on top of a commit, then moves the branch, the index and the work tree to it. Nothing changes if the
 * branch has moved: an editor has published.
 * @param parent the commit that the files were read from
 * @throws CommandError, GitError
 */
export async function commitFiles(directory: string, parent: string, files: Files): Promise<string> {
  const prefix = (await git(directory, ['rev-parse', '--show-prefix'])).trim()
  const commit = await makeCommit(directory, parent, files, prefix)
  await moveBranch({root: directory, isBare: false}, parent, commit, {action: 'format', done: 'formatted'})
  return commit
}

/** Git writes every changed file. */
const TIMEOUT = 600_000

/** A commit that no branch has yet. */
async function makeCommit(directory: string, parent: string, files: Files, prefix: string): Promise<string> {
  const committer = (await git(directory, ['var', 'GIT_COMMITTER_IDENT'])).trim()
  const message = `${SUBJECT}\n\n${BODY}\n`
  const parts = [`commit ${REF}\nmark :1\ncommitter ${committer}\n${data(message)}from ${parent}\n`]
  for (const [path, text] of files) {
    const name = quoted(prefix + path)
    parts.push(text === undefined ? `D ${name}\n` : `M 100644 inline ${name}\n${data(text)}`)
  }
  parts.push(`\nget-mark :1\nreset ${REF}\nfrom ${'0'.repeat(40)}\n\n`)
  const input = parts.join('')
  return (await git(directory, ['fast-import', '--quiet', '--force'], {input, timeout: TIMEOUT})).trim()
}

/** Only exists while `git fast-import` runs. */
const REF = 'refs/handrail/format'

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

/** https://git-scm.com/docs/git-fast-import#_filemodify */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
