import {plainLine} from '../plainLine.ts'

/** The author of a change, as Git records it. */
export type Author = {readonly name: string; readonly email: string}

/** The committer if the repository configures none. */
export const HANDRAIL: Author = {name: 'Handrail', email: 'handrail@localhost'}

/**
 * A name and an address that Git can store: one line, without delimiters, and with a name that is not empty.
 */
export function fitAuthor({name, email}: Author): Author {
  const address = plainLine(email).replace(/[\s<>]/g, '')
  const line = plainLine(name.replace(/[<>]/g, ' '))
    // Git strips these from both ends of a name. Two commits of one person would then have different names.
    .replace(/^[ .,:;"'\\]+|[ .,:;"'\\]+$/g, '')
  return {name: line || address.split('@')[0] || 'Unknown', email: address || 'unknown@localhost'}
}

/** The fields of a commit; one time (seconds since 1970) for both author and committer. */
type CommitText = {
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Author
  readonly committer: Author
  readonly seconds: number
  readonly message: string
}

/** The body of a commit object. Times are in UTC, because an editor's time zone is unknown. */
export function commitBody({tree, parents, author, committer, seconds, message}: CommitText): Buffer {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author.name} <${author.email}> ${seconds} +0000`,
    `committer ${committer.name} <${committer.email}> ${seconds} +0000`,
    '',
    // Git ends a message at a NUL.
    `${message.replaceAll('\0', '').trimEnd()}\n`,
  ]
  return Buffer.from(lines.join('\n'))
}
