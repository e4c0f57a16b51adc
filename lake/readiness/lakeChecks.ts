import type {LogHealth} from '../../common/log/log.ts'
import type {Journal} from '../../content/drafts/journal.ts'
import type {ContentRepository} from '../../content/repository.ts'
import type {State} from '../../content/state/state.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import type {LakeLock} from '../../git/lock/openLock.ts'
import type {HeadFollower} from '../../git/read/headFollower.ts'
import type {NotPushed} from '../../git/remote/notPushed.ts'
import type {RemoteSync} from '../../git/remote/remoteSync.ts'
import type {LakeRole} from '../../git/remote/role.ts'
import type {Access} from '../access/access.ts'
import type {AuditLog} from '../audit/auditLog.ts'
import {failedIn} from '../releases/releaseSchedule.ts'
import {titleOf} from '../write/transaction/releases/release.ts'
import {
  checkAudit,
  checkContent,
  checkCredentials,
  checkDisk,
  checkJournal,
  checkLock,
  checkLog,
  checkNotPushed,
  checkPush,
  checkRefLocks,
  checkReleases,
  checkRole,
  checkState,
  checkUniqueValues,
  checkWebhooks,
} from './checks.ts'
import type {Check} from './readiness.ts'

/** The parts of a lake that may have a problem. */
type LakeChecksOptions = {
  readonly lock: LakeLock
  readonly folder: ContentDirectory
  readonly follower: HeadFollower
  readonly repository: ContentRepository
  readonly unique: UniqueValues
  readonly state: State
  readonly journal: Journal
  readonly access: Access
  readonly audit: AuditLog
  readonly pusher: RemoteSync
  readonly role: LakeRole
  readonly notPushed: () => Promise<readonly NotPushed[]>
  /** With the hosts of those whose last delivery failed. */
  readonly webhooks: readonly {readonly failing: readonly string[]}[]
  readonly log: LogHealth
  readonly store: DocumentStore
}

/** All checks of a lake. */
export function lakeChecks(options: LakeChecksOptions): Check[] {
  const {
    lock,
    folder,
    follower,
    repository,
    unique,
    state,
    journal,
    access,
    audit,
    pusher,
    role,
    notPushed,
    webhooks,
    log,
    store,
  } = options
  return [
    checkLock(lock),
    checkDisk(folder),
    checkRefLocks(folder),
    checkContent({
      isFollowing: () => !follower.failing,
      unreadable: () => repository.unreadable,
      invalid: () => repository.invalid,
      layoutProblem: () => repository.layoutProblem,
    }),
    checkUniqueValues(() => unique.shared),
    checkState(state),
    checkJournal(journal),
    checkCredentials(() => access.accounts.problem()),
    checkAudit(() => audit.problem),
    checkLog(log),
    checkPush(() => pusher.state, role),
    checkRole(role),
    checkNotPushed(notPushed),
    checkReleases(() =>
      failedIn(store).map((release) => ({title: titleOf(release), reason: release.error?.message ?? ''})),
    ),
    checkWebhooks(() => webhooks.flatMap(({failing}) => failing)),
  ]
}
