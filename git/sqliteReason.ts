import {accessSync, constants, rmSync, writeFileSync} from 'node:fs'
import {errorCode} from '../common/errorCode.ts'

/** https://www.sqlite.org/rescode.html */
const [BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 8, 10, 11, 13, 14, 26]

/**
 * Why SQLite failed: the code of the system error, such as `ENOSPC`; `EBUSY` if another process has locked the database, and
 * `DAMAGED` if its content makes no sense. Undefined if it is none of these.
 * @param path the database
 */
export function sqliteReason(error: unknown, path: string): string | undefined {
  const result = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  // The low byte of an extended result code is the primary one.
  switch (result & 0xff) {
    case FULL:
      return 'ENOSPC'
    case READONLY:
      return 'EROFS'
    case IOERR:
    case CANTOPEN:
      return diskProblem(path)
    case CORRUPT:
    case NOTADB:
      return 'DAMAGED'
    case BUSY:
      return 'EBUSY'
    default:
      return undefined
  }
}

/** SQLite does not say which system error it got: finds out with a small file next to the database. */
function diskProblem(path: string): string | undefined {
  const probe = `${path}-probe-${process.pid}`
  try {
    writeFileSync(probe, Buffer.alloc(64 * 1024), {mode: 0o600})
    accessSync(path, constants.W_OK)
    return undefined
  } catch (error) {
    return errorCode(error)
  } finally {
    rmSync(probe, {force: true})
  }
}
