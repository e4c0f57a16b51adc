import {stat, statfs} from 'node:fs/promises'
import {join} from 'node:path'
import type {LogHealth} from '../../common/log/log.ts'
import type {Journal} from '../../content/drafts/journal.ts'
import type {InvalidFile} from '../../content/files/documentFiles.ts'
import type {State} from '../../content/state/state.ts'
import type {SharedValue} from '../../content/uniqueValues.ts'
import {readBranch} from '../../git/branch.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import type {LakeLock, LockProblem} from '../../git/lock/openLock.ts'
import type {NotPushed} from '../../git/remote/notPushed.ts'
import type {LakeRole} from '../../git/remote/role.ts'
import type {ConflictCode, PushState} from '../../git/remote/status.ts'
import type {Problem} from './problem.ts'
import type {Check} from './readiness.ts'

/** Bytes of free space below which a disk counts as full: one transaction may take several megabytes. */
const LEAST_FREE = 16 * 1024 * 1024

/** Milliseconds after which a Git lock counts as left by a killed command. */
const LEFT_AFTER = 60_000

/** Maximum files to name in a message. */
const MAX_NAMED = 3

/** The operator's message if the lock is not held. */
const LOCK_MESSAGES: Readonly<Record<LockProblem['code'], string>> = {
  LOCK_NOT_HELD: 'This process does not hold the lock of the content repository and is read-only: restart it',
  DISK_FULL: 'The lake started on a full disk and is read-only. It accepts changes as soon as there is space',
  DISK_READ_ONLY: 'The lake started on a read-only disk. It accepts changes as soon as the disk is writable',
}

/** The operator's message if a person has to decide before anything is pushed. */
const CONFLICT_MESSAGES: Readonly<Record<ConflictCode, string>> = {
  PUSH_CONFLICT:
    'The remote has commits that conflict with those of the lake: merge them in a clone, and push the merge to the remote. The log names the files',
  REMOTE_REWRITTEN:
    'The history of the remote was rewritten: commits were removed there. Nothing is pushed until a person ' +
    'follows the remote, or pushes the commits again. The log says how',
  REMOTE_BRANCH_MISSING:
    'The remote does not have the branch that is served. Nothing is pushed until a person renames the branch ' +
    'here, or creates it there. The log says how',
}

export function checkLock(lock: LakeLock): Check {
  return () => {
    const code = lock.problem?.code
    return code === undefined ? [] : [{code, message: LOCK_MESSAGES[code]}]
  }
}

/** Checks the disks of the repository and of the database in its folder, which may be a mount of its own. */
export function checkDisk({gitDir}: ContentDirectory): Check {
  return async () => {
    for (const path of [gitDir, join(gitDir, 'handrail')]) {
      const disk = await statfs(path).catch(() => undefined)
      const free = disk === undefined ? undefined : disk.bavail * disk.bsize
      if (free === undefined || free >= LEAST_FREE) continue
      const message = 'The disk of the content repository is full or nearly full: free some space'
      return [{code: 'DISK_FULL', message, details: {path, freeBytes: free}}]
    }
    return []
  }
}

/** Checks that no lock of Git blocks HEAD and its branch. */
export function checkRefLocks({root}: ContentDirectory): Check {
  return async () => {
    const branch = await readBranch(root)
    const left: string[] = []
    for (const name of ['HEAD', ...(branch === undefined ? [] : [branch])]) {
      const found = await stat(join(root, `${name}.lock`)).catch(() => undefined)
      if (found !== undefined && Math.abs(Date.now() - found.mtimeMs) >= LEFT_AFTER) left.push(`${name}.lock`)
    }
    if (left.length === 0) return []
    const message =
      `A Git command has held ${left.join(', ')} in the content repository for more than a minute, or was killed while it held it. ` +
      'If no Git command is running there, delete the file: publishing waits for it'
    return [{code: 'GIT_LOCK_LEFT', message, details: {paths: left.map((name) => join(root, name))}}]
  }
}

export function checkContent(options: {
  readonly isFollowing: () => boolean
  readonly unreadable: () => readonly string[]
  readonly invalid: () => readonly InvalidFile[]
  readonly layoutProblem: () => string | undefined
}): Check {
  return () => {
    const problems: Problem[] = []
    if (!options.isFollowing()) {
      const message =
        'The content repository cannot be read; the lake serves its last good state. The log says what is wrong'
      problems.push({code: 'CONTENT_UNREADABLE', message})
    }
    const paths = options.unreadable()
    if (paths.length > 0) {
      const message =
        `Git cannot read ${nameSome(paths)}; not served. ` +
        'Fetch the objects from another clone, or publish the documents again'
      problems.push({code: 'BROKEN_OBJECTS', message})
    }
    const [spoiled, ...others] = options.invalid().filter(({wasServed}) => wasServed)
    if (spoiled !== undefined) {
      const names = nameSome([spoiled, ...others].map(({path}) => path))
      const message = `A commit broke ${names}; not served any more. Correct it, or revert the commit. The log has the reason`
      problems.push({code: 'DOCUMENT_BROKEN', message, details: {path: spoiled.path, reason: spoiled.reason}})
    }
    const reason = options.layoutProblem()
    if (reason !== undefined) {
      const message =
        'lake.json is not valid, so the last valid version of it applies. The log says what is wrong'
      problems.push({code: 'LAYOUT_INVALID', message, details: {reason}})
    }
    return problems
  }
}

/** @param failed the titles of releases that were not published at their time, with the reason */
export function checkReleases(
  failed: () => readonly {readonly title: string; readonly reason: string}[],
): Check {
  return () => {
    const [first, ...others] = failed()
    if (first === undefined) return []
    const more = others.length > 0 ? ` (and ${others.length} more)` : ''
    const message = `The scheduled release “${first.title}”${more} was not published: ${first.reason}`
    return [{code: 'RELEASE_FAILED', message}]
  }
}

/** @param shared values that two documents have, which only a commit can cause */
export function checkUniqueValues(shared: () => readonly SharedValue[]): Check {
  return () => {
    const [first, ...others] = shared()
    if (first === undefined) return []
    const {rule, value, ids} = first
    const paths = ids.map((id) => `${rule.type}/${id}.json`)
    const more = others.length > 0 ? ` (and ${others.length} more)` : ''
    const message = `${nameSome(paths)} have the same ${rule.label}, "${value}"${more}. ${rule.ifShared}`
    const details = {shared: [first, ...others].slice(0, MAX_NAMED).map(({value, ids}) => ({value, ids}))}
    return [{code: 'VALUE_SHARED', message, details}]
  }
}

function nameSome(paths: readonly string[]): string {
  return paths.length > MAX_NAMED
    ? `${paths.slice(0, MAX_NAMED).join(', ')} and ${paths.length - MAX_NAMED} more`
    : paths.join(' and ')
}

export function checkState(state: Pick<State, 'damage' | 'loss'>): Check {
  return () => {
    if (state.loss !== undefined) {
      const message =
        'The database of the lake (state.db) was moved, deleted or replaced: nothing can be saved. Put it back, or restart the lake'
      return [{code: 'STATE_LOST', message}]
    }
    const reason = state.damage
    if (reason === undefined) return []
    const message =
      'The database of the lake (state.db) is damaged: nothing can be saved, and no one can sign in. The log says how to repair it'
    return [{code: 'STATE_DAMAGED', message, details: {reason}}]
  }
}

export function checkJournal(journal: Pick<Journal, 'failure' | 'retry'>): Check {
  return () => {
    journal.retry()
    const reason = journal.failure
    if (reason === undefined) return []
    return [{code: 'WRITES_FAILING', message: `The last write could not be saved: ${reason}`}]
  }
}

/** @param problem why the credentials cannot be read */
export function checkCredentials(problem: () => Promise<string | undefined>): Check {
  return async () => {
    const reason = await problem()
    if (reason === undefined) return []
    const message = 'The credentials cannot be read, so no one can sign in. The log has the error'
    return [{code: 'CREDENTIALS_UNREADABLE', message, details: {reason}}]
  }
}

/** @param problem how many events wait, and how many were lost, while the audit log cannot be written */
export function checkAudit(
  problem: () => {readonly waiting: number; readonly lost: number} | undefined,
): Check {
  return () => {
    const details = problem()
    if (details === undefined) return []
    const message =
      `The audit log cannot be written: ${details.waiting} events wait in memory, ${details.lost} were lost. ` +
      'The log has the error'
    return [{code: 'AUDIT_FAILING', message, details}]
  }
}

/** @param health of the log of this process */
export function checkLog(health: LogHealth): Check {
  return () => {
    if (!health.isLosingLines) return []
    const details = {lostLines: health.lostLines}
    const message = `The log cannot be written: ${health.lostLines} lines were lost. Free some space where it is stored`
    return [{code: 'LOG_FAILING', message, details}]
  }
}

export function checkPush(state: () => PushState, role: Pick<LakeRole, 'isStandby'>): Check {
  return () => {
    const {state: current, code = 'PUSH_CONFLICT', lastError} = state()
    // The reason contains the address of the remote, and words of its host.
    const details = {reason: lastError}
    if (current === 'conflict') return [{code, message: CONFLICT_MESSAGES[code], details}]
    if (current !== 'failing') return []
    if (role.isStandby) {
      const message =
        'The remote cannot be fetched: this standby serves what it fetched last. The log says why'
      return [{code: 'FETCH_FAILING', message, details}]
    }
    const message =
      'Commits cannot be pushed to the remote. They are safe locally, and the push is retried. The log says why it fails'
    return [{code: 'PUSH_FAILING', message, details}]
  }
}

export function checkRole(role: Pick<LakeRole, 'isReplaced'>): Check {
  return () => {
    if (!role.isReplaced) return []
    const message =
      'Another lake was promoted in place of this one, which accepts no changes any more. Point Studio and the service at ' +
      'the other one. To run this one as a standby, set LAKE_FOLLOW'
    return [{code: 'REPLACED', message}]
  }
}

/** @param read the publishes that were taken back */
export function checkNotPushed(read: () => Promise<readonly NotPushed[]>): Check {
  return async () => {
    const [first, ...others] = await read().catch(() => [])
    if (first === undefined) return []
    const paths = new Set(first.steps.flatMap(({added, modified}) => [...added, ...modified]))
    const more = others.length > 0 ? ` (and ${others.length} more)` : ''
    const message =
      `Publishes were taken back when another lake was promoted: ${nameSome([...paths])}. ` +
      `They are in the branch ${first.branch}${more} of the content repository: merge it into the remote, or delete it`
    return [{code: 'NOT_PUSHED', message}]
  }
}

/** @param failing the hosts of webhooks that fail */
export function checkWebhooks(failing: () => readonly string[]): Check {
  return () => {
    const hosts = failing()
    if (hosts.length === 0) return []
    const message = 'A webhook cannot be delivered, and is retried. The log names its host and the error'
    return [{code: 'WEBHOOK_FAILING', message, details: {hosts}}]
  }
}
