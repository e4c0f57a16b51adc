import {withFileLock} from '../../../../lake/access/credentials/fileLock.ts'

/** Holds a lock file until killed. */
await withFileLock(process.argv[2] ?? '', () => {
  process.send?.('held')
  return new Promise((resolve) => setTimeout(resolve, 60_000)) // the process is killed before
})
