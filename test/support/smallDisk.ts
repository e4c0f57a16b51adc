import {execFile} from 'node:child_process'
import {mkdtemp, rm, rmdir, statfs, writeFile} from 'node:fs/promises'
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
      const {bavail, bsize} = await statfs(folder)
      await writeFile(ballast, Buffer.alloc(bavail * bsize))
    },
    free: () => rm(ballast),
    makeReadOnly: () => remount('ro'),
    makeWritable: () => remount('rw'),
  }
}
