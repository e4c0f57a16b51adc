import {acquireLock} from '../../../lake/git/lock/repositoryLock.ts'

/** Holds a repository until it is killed. */
await acquireLock(process.argv[2] ?? '', 'a lake that is killed')
process.send?.('held')
setInterval(() => {}, 60_000)
