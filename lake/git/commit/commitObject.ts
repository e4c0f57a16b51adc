/** Who stands behind a change, as Git writes it down. */
export type Author = {readonly name: string; readonly email: string}

/** Who commits where the repository names nobody. */
export const HANDRAIL: Author = {name: 'Handrail', email: 'handrail@localhost'}

/**
 * Text as one line that looks like what it says, in a terminal too: without control characters, without the ones that
 * reorder what follows (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters), and with single spaces.
 */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
}

/**
 * A name and an address as Git can keep them: one line, without the signs that end one, and never an empty name.
 */
export function fitAuthor({name, email}: Author): Author {
  const address = plainLine(email).replace(/[\s<>]/g, '')
  const line = plainLine(name.replace(/[<>]/g, ' '))
    // Git takes these off both ends of a name, so that two commits of one person could look unlike.
    .replace(/^[ .,:;"'\\]+|[ .,:;"'\\]+$/g, '')
  return {name: line || address.split('@')[0] || 'Unknown', email: address || 'unknown@localhost'}
}

/** What a commit says; seconds since 1970, for the author and the committer alike. */
export type CommitText = {
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Author
  readonly committer: Author
  readonly seconds: number
  readonly message: string
}

/** The body of a commit object. Times are in UTC: an editor's browser does not say where its editor is. */
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
