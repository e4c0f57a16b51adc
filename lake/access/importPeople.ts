import {readdir, rm} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {isJsonObject} from '../../common/json.ts'
import {type ImportLogger, importFile, parseLines} from '../../content/state/importFile.ts'
import type {State} from '../../content/state/state.ts'
import {insertEvent} from '../audit/auditLog.ts'
import {parseCredentials} from './credentials/credentials.ts'
import {UNKNOWN_BROWSER} from './signIn/browserName.ts'
import {insertSession, SESSION_LIFETIME, type StoredSession} from './signIn/sessions.ts'

/**
 * Takes over people, tokens, sessions and the audit log from the files of version 0.1.
 * @param editorsFile the file of editors and tokens; the others are next to it
 * @throws Error with one line
 */
export async function importPeople(
  state: State,
  editorsFile: string,
  options: {readonly renames: boolean; readonly logger: ImportLogger},
): Promise<void> {
  const start = editorsFile.replace(/(\.json)?$/, '')
  await importFile(state, editorsFile, {
    ...options,
    read: (content) => {
      const {editors, tokens} = parseCredentials(parseJson(content))
      return () => {
        for (const [table, entries] of [
          ['editor', editors],
          ['token', tokens],
        ] as const)
          for (const entry of entries)
            state.run(`INSERT INTO ${table} VALUES (?, ?)`, entry.id, JSON.stringify(entry))
      }
    },
  })
  await importFile(state, `${start}.sessions.json`, {
    ...options,
    read: (content) => () => {
      for (const session of sessionsIn(content)) insertSession(state, session)
    },
  })
  for (const path of await auditFiles(`${start}.audit.jsonl`))
    await importFile(state, path, {
      ...options,
      read: (content) => () => {
        for (const line of parseLines(content).lines) insertEvent(state, JSON.stringify(line))
      },
    })
  // A lock without content, and where a lake ran that is gone.
  if (options.renames)
    for (const path of [`${editorsFile}.lock`, `${start}.address.json`]) await rm(path, {force: true})
}

/** The rest of the message of a JSON syntax error quotes the file, which may include part of a hash. */
function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch (error) {
    const [place = ''] = /at position .*$/.exec(String(error)) ?? []
    throw new Error(`it is not valid JSON ${place}`.trim())
  }
}

/** A damaged file only means that all editors have to sign in again. */
function sessionsIn(content: Buffer): StoredSession[] {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'))
    return Array.isArray(value) ? value.flatMap((one) => parseSession(one) ?? []) : []
  } catch {
    return []
  }
}

/** Some sessions of version 0.1 have neither dates nor a browser. */
function parseSession(value: unknown): StoredSession | undefined {
  if (!isJsonObject(value)) return undefined
  const {hash, editorId, generation, sealed, expiresAt, since, lastUsed, browser, method} = value
  if (typeof hash !== 'string' || typeof editorId !== 'string' || typeof expiresAt !== 'number')
    return undefined
  const began = typeof since === 'number' ? since : expiresAt - SESSION_LIFETIME
  return {
    hash,
    editorId,
    generation: typeof generation === 'string' ? generation : undefined,
    sealed: typeof sealed === 'string' ? sealed : undefined,
    since: began,
    lastUsed: typeof lastUsed === 'number' ? lastUsed : began,
    expiresAt,
    browser: typeof browser === 'string' ? browser : UNKNOWN_BROWSER,
    ...(method === 'link' && {method}),
  }
}

/** The files of the audit log, the oldest first: full ones have the time of their end in their names. */
async function auditFiles(current: string): Promise<string[]> {
  const start = basename(current).replace(/jsonl$/, '')
  const names = await readdir(dirname(current)).catch(() => [])
  const full = names.filter(
    (name) => name.startsWith(start) && /^\d{4}-.*\.jsonl$/.test(name.slice(start.length)),
  )
  return [...full.sort().map((name) => join(dirname(current), name)), current]
}
