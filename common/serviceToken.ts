import {open} from 'node:fs/promises'
import {dirname, join, resolve} from 'node:path'
import {atomicWrite, ensureDirectory} from './atomicWrite.ts'
import {errorCode} from './errorCode.ts'
import {errorMessage} from './errorMessage.ts'

/** Where a lake stores the token for a service on the same machine: next to its database. */
export function serviceTokenFileOf(contentDir: string): string {
  return join(resolve(contentDir), 'handrail', 'service-token')
}

/** Characters that are allowed in a header, and enough of them to be impossible to guess. */
const TOKEN = /^[\w.~+/-]{32,256}=*$/

/**
 * Reads the token that a service sends to a lake on the same machine.
 * @returns undefined if the file does not exist
 * @throws Error with one line if the file is unreadable, readable by others, or holds no token
 */
export async function readServiceToken(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'r')
    try {
      const {mode} = await file.stat()
      if (process.platform !== 'win32' && (mode & 0o077) !== 0)
        throw new Error(`other users can read it: run "chmod 600 ${path}", or delete it to get a new token`)
      const token = (await file.readFile('utf8')).trim()
      if (!TOKEN.test(token))
        throw new Error('it contains no token: delete it, and the lake creates a new one')
      return token
    } finally {
      await file.close()
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    const reason = errorCode(error) ?? errorMessage(error)
    throw new Error(`The token of the service in ${path} cannot be used: ${reason}`)
  }
}

/**
 * Writes a token to a file that only its owner can read.
 * @throws the error of the file system
 */
export async function writeServiceToken(path: string, token: string): Promise<void> {
  await ensureDirectory(dirname(path))
  await atomicWrite(path, `${token}\n`, {mode: 0o600, prefix: '.service-token-'})
}
