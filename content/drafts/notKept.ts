import {errorCode} from '../../common/errorCode.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {withoutPaths} from '../../git/redact.ts'

/** A valid transaction that could not be saved: the disk is full, or the repository is not writable. */
export class NotKeptError extends Error {}

/** Git's messages about disk errors, which are those of the C library. */
const CODES = new Map([
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['File too large', 'EFBIG'],
  ['Read-only file system', 'EROFS'],
  ['Permission denied', 'EACCES'],
  ['Operation not permitted', 'EPERM'],
])

/** Why a write failed, in words without any paths of the machine. */
export function writeFailure(error: unknown): string {
  const message = errorMessage(error)
  const said = [...CODES].find(([words]) => message.includes(words))?.[1]
  switch (errorCode(error) ?? said) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full'
    case 'EFBIG':
      return 'the file has reached its size limit'
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'the content repository is not writable'
    default:
      return lockedBy(message) ?? withoutPaths(message)
  }
}

/** The message to an editor about a lock file: Git fails if another command holds it. */
function lockedBy(message: string): string | undefined {
  const lock = /Unable to create '[^']*?([\w.-]+\.lock)': File exists/.exec(message)?.[1]
  if (lock === undefined) return undefined
  return (
    `another Git command holds ${lock} in the content repository, or was stopped before it could remove it. ` +
    'Try again; if that does not help, ask a developer to delete that file'
  )
}
