import {execFile} from 'node:child_process'
import {appendFile, mkdir, mkdtemp, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {promisify} from 'node:util'
import {eventually} from '../../support/eventually.ts'

const run = promisify(execFile)

/** A real way to make a disk reject writes. */
export type DiskFault = {
  readonly name: string
  /** The lake's error message. */
  readonly message: RegExp
  /** Whether an open file can still be written. */
  readonly sparesOpenFiles?: true
  /** A folder on which the fault can occur; removed after the test. */
  prepare(t: TestContext): Promise<string>
  begin(folder: string, pid: number): Promise<void>
  end(folder: string, pid: number): Promise<void>
}

const full = /^Nothing was (saved|published): the disk is full$/
const readOnly = /^Nothing was (saved|published): the content repository is not writable$/

async function plainFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-disk-'))
  t.after(() => rm(folder, {recursive: true, force: true, maxRetries: 3}))
  return folder
}

const fullFileSystem: DiskFault = {
  name: 'a file system of 4 MB is full',
  message: full,
  async prepare(t) {
    const folder = await mkdtemp(join(tmpdir(), 'handrail-disk-'))
    await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder])
    t.after(async () => {
      await run('umount', ['--lazy', folder])
      await rm(folder, {recursive: true})
    })
    return folder
  },
  async begin(folder) {
    const filler = join(folder, 'filler')
    for (let size = 1024 * 1024; size >= 1024; size /= 2) {
      // The last, small writes fill what the larger ones left.
      for (let failed = false; !failed; ) {
        await appendFile(filler, Buffer.alloc(size)).catch(() => {
          failed = true
        })
      }
    }
  },
  end: (folder) => rm(join(folder, 'filler')),
}

const fileSizeLimit: DiskFault = {
  name: 'files have a size limit',
  message: /^Nothing was (saved|published): /,
  prepare: plainFolder,
  async begin(folder, pid) {
    // In the middle of the next page of the log.
    const {size} = await stat(join(folder, 'content', 'handrail', 'state.db-wal'))
    await run('prlimit', [`--pid=${pid}`, `--fsize=${size + 20}:unlimited`])
  },
  async end(_folder, pid) {
    await run('prlimit', [`--pid=${pid}`, '--fsize=unlimited:unlimited'])
  },
}

const readOnlyMount: DiskFault = {
  name: 'the repository is mounted read-only',
  message: readOnly,
  sparesOpenFiles: true,
  async prepare(t) {
    const folder = await mkdtemp(join(tmpdir(), 'handrail-disk-'))
    t.after(async () => {
      await run('umount', ['--lazy', join(folder, 'content')]).catch(() => {})
      await rm(folder, {recursive: true, force: true, maxRetries: 3})
    })
    return folder
  },
  async begin(folder) {
    const content = join(folder, 'content')
    await run('mount', ['--bind', content, content])
    // Busy while the lake has a file open for writing.
    const remount = () =>
      run('mount', ['-o', 'remount,bind,ro', content]).catch((error: Error) => error.message)
    await eventually(remount, (result) => typeof result !== 'string')
  },
  async end(folder) {
    await run('umount', ['--lazy', join(folder, 'content')])
  },
}

const permissions: DiskFault = {
  name: 'the files are read-only',
  message: readOnly,
  sparesOpenFiles: true,
  prepare: plainFolder,
  begin: (folder) => chmod('a-w', folder),
  end: (folder) => chmod('u+w', folder),
}

async function chmod(change: string, folder: string): Promise<void> {
  await run('chmod', ['-R', '-f', change, join(folder, 'content')]).catch(() => {})
}

/** Every fault that this user can cause on this machine, and the names of the others. */
export async function diskFaults(): Promise<{possible: DiskFault[]; impossible: string[]}> {
  const faults = [fullFileSystem, fileSizeLimit, readOnlyMount, permissions]
  const possible: DiskFault[] = []
  const impossible: string[] = []
  // One by one: a process limit affects everything in this process.
  for (const fault of faults) {
    if (await isPossible(fault)) possible.push(fault)
    else impossible.push(fault.name)
  }
  return {possible, impossible}
}

/** Probes each: the rights of root in a container differ. */
async function isPossible(fault: DiskFault): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-disk-'))
  const content = join(folder, 'content')
  const inside = join(content, 'handrail')
  await mkdir(inside, {recursive: true})
  await appendFile(join(inside, 'state.db-wal'), '')
  try {
    if (fault === fullFileSystem) {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', content])
      await run('umount', [content])
      return true
    }
    await fault.begin(folder, process.pid)
    const refused = await appendFile(join(inside, 'new'), Buffer.alloc(1_000)).then(
      () => false,
      () => true,
    )
    await fault.end(folder, process.pid)
    return refused
  } catch {
    return false
  } finally {
    await rm(folder, {recursive: true, force: true, maxRetries: 3})
  }
}
