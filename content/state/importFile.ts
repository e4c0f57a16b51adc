import {readFile, rename, stat} from 'node:fs/promises'
import {basename, dirname} from 'node:path'
import {syncDirectory} from '../../common/atomicWrite.ts'
import {errorCode} from '../../common/errorCode.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import type {State} from './state.ts'

export type ImportLogger = {
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

export const NO_IMPORT_LOGGER: ImportLogger = {warn: () => {}, info: () => {}}

export type ImportOptions = {
  /** Reads the file, and returns a function that writes its content to the database, within a transaction. */
  readonly read: (content: Buffer) => Promise<() => void> | (() => void)
  /** Whether the file is renamed, because nothing reads it again. */
  readonly renames: boolean
  readonly logger: ImportLogger
}

/**
 * Takes over a file of an earlier version, if there is one that was not taken over before. Then renames it to
 * `*.imported`: after a crash in between, the database knows that it has the content.
 * @throws Error with one line that names the file if it cannot be read; nothing is imported then
 */
export async function importFile(
  state: State,
  path: string,
  {read, renames, logger}: ImportOptions,
): Promise<void> {
  try {
    const content = await readFile(path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    })
    if (content === undefined) return
    const file = basename(path)
    const isKnown = () => state.get('SELECT 1 FROM imported WHERE file = ?', file) !== undefined
    if (isKnown())
      logger.warn({path}, 'a file of an earlier version was imported before, and is not read again')
    else {
      const write = await read(content)
      state.transaction(() => {
        // A command may have been faster.
        if (isKnown()) return
        write()
        state.run('INSERT INTO imported VALUES (?, ?)', file, new Date().toISOString())
      })
      logger.info({path}, 'imported a file of an earlier version into the database of the lake')
    }
    if (renames) await putAside(path)
  } catch (error) {
    throw new Error(
      `${path}, which an earlier version wrote, cannot be imported: ${errorMessage(error)}. Repair it, or move it away ` +
        'to start without its content',
      {cause: error},
    )
  }
}

async function putAside(path: string): Promise<void> {
  const isTaken = (await stat(`${path}.imported`).catch(() => undefined)) !== undefined
  const suffix = isTaken ? `-${new Date().toISOString().replaceAll(':', '-')}` : ''
  await rename(path, `${path}.imported${suffix}`).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  await syncDirectory(dirname(path))
}

/** What a power cut or an editor may leave before a valid line: NUL bytes, a byte order mark. */
const LEADING_DEBRIS = /^[\0\ufeff]+/

/**
 * Parses lines of JSON. A last line without a newline is what a killed process left, and does not count.
 * @returns also the numbers of damaged lines, which are skipped
 */
export function parseLines(content: Buffer): {readonly lines: unknown[]; readonly damaged: number[]} {
  const lines: unknown[] = []
  const damaged: number[] = []
  const texts = content.toString('utf8').split('\n').slice(0, -1)
  for (const [index, text] of texts.entries()) {
    try {
      lines.push(JSON.parse(text.replace(LEADING_DEBRIS, '')))
    } catch {
      damaged.push(index + 1)
    }
  }
  return {lines, damaged}
}
