import {execFile} from 'node:child_process'
import {appendFile, mkdtemp, rm, rmdir, statfs} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {promisify} from 'node:util'

const run = promisify(execFile)

/** Mounts a small disk of its own, which a test can fill or make read-only. */
export async function smallDisk(t: TestContext, megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  t.after(async () => {
    await run('umount', ['--lazy', folder])
    await rmdir(folder)
  })
  const ballast = join(folder, 'ballast')
  const remount = (mode: string) => run('mount', ['-o', `remount,${mode}`, folder])
  return {
    folder,
    async fill() {
      // Others may write meanwhile.
      for (;;) {
        const {bavail, bsize} = await statfs(folder)
        if (bavail === 0) return
        await appendFile(ballast, Buffer.alloc(bavail * bsize)).catch((error) => {
          if (error.code !== 'ENOSPC') throw error
        })
      }
    },
    free: () => rm(ballast),
    makeReadOnly: () => remount('ro'),
    makeWritable: () => remount('rw'),
  }
}
