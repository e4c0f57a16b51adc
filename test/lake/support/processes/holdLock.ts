import {acquireLock} from '../../../../git/lock/repositoryLock.ts'

/** Holds the lock of a repository until killed. */
await acquireLock(process.argv[2] ?? '', 'a lake that is killed')
process.send?.('held')
setInterval(() => {}, 60_000)
