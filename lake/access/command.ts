import {createInterface} from 'node:readline/promises'
import {Writable} from 'node:stream'
import {parseArgs} from 'node:util'
import {Accounts} from './accounts.ts'
import {isRole, type Role, roles} from './role.ts'

/** Characters of a password at least: NIST SP 800-63B asks for length, not for kinds of characters. */
const minPasswordLength = 10

const usage = `Usage: npm run lake -- <command>

  editor add --email ADDRESS --name NAME [--role ROLE]   asks for a password; reads it from a pipe
  editor link --email ADDRESS                            a link that signs in once, within half an hour
  editor list | editor remove --email ADDRESS
  token add --name NAME [--role ROLE]                    for a program; shown once
  token list | token remove --name NAME

  ROLE is ${roles.join(', ')}; editor where it is left out.`

/**
 * Runs a command that manages who may use the lake.
 * @param words after the script's name
 * @param origin where the lake answers, for links
 * @throws Error with the line or lines to show
 */
export async function manageAccounts(
  words: readonly string[],
  editorsFile: string,
  origin: string,
): Promise<string> {
  const {values, positionals} = readWords(words)
  const accounts = new Accounts(editorsFile)
  const role = readRole(values.role)
  switch (positionals.join(' ')) {
    case 'editor add': {
      const [email, name] = [required(values.email, 'email'), required(values.name, 'name')]
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new Error(`"${email}" is not an e-mail address`)
      const editor = await accounts.addEditor({email, name, role}, await askPassword())
      return `${editor.name} <${editor.email}> is ${editor.role}`
    }
    case 'editor link': {
      const email = required(values.email, 'email').toLowerCase()
      const editor = (await accounts.editors()).find((one) => one.email.toLowerCase() === email)
      if (!editor) throw new Error(`there is no editor "${email}"`)
      return linkTo(origin, await accounts.makeLink(editor.id))
    }
    case 'editor list':
      return table((await accounts.editors()).map((one) => [one.role, one.email, one.name]))
    case 'editor remove':
      await accounts.remove('editor', required(values.email, 'email'))
      return 'removed'
    case 'token add':
      return accounts.addToken(required(values.name, 'name'), role)
    case 'token list':
      return table((await accounts.tokens()).map((one) => [one.role, one.name]))
    case 'token remove':
      await accounts.remove('token', required(values.name, 'name'))
      return 'removed'
    default:
      throw new Error(usage)
  }
}

/** The address of a one-time link. */
export function linkTo(origin: string, code: string): string {
  return `${origin}/login?code=${code}`
}

function readWords(words: readonly string[]) {
  const text = {type: 'string'} as const
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {email: text, name: text, role: text},
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

function readRole(role = 'editor'): Role {
  if (!isRole(role)) throw new Error(`"${role}" is not a role: choose ${roles.join(', ')}`)
  return role
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new Error(`--${name} is missing\n\n${usage}`)
  return value.trim()
}

function table(rows: readonly string[][]): string {
  return rows.length === 0 ? 'none' : rows.map((row) => row.join('\t')).join('\n')
}

async function askPassword(): Promise<string> {
  const lines = createInterface({
    input: process.stdin,
    // Nothing of what is typed is shown.
    output: new Writable({write: (_chunk, _encoding, done) => done()}),
    terminal: process.stdin.isTTY,
  })
  try {
    if (process.stdin.isTTY) process.stderr.write('Password: ')
    const {value} = await lines[Symbol.asyncIterator]().next()
    if (process.stdin.isTTY) process.stderr.write('\n')
    if (typeof value !== 'string' || value.length < minPasswordLength)
      throw new Error(`a password has ${minPasswordLength} characters or more`)
    return value
  } finally {
    lines.close()
  }
}
