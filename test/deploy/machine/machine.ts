import {type ChildProcess, execFile, spawn} from 'node:child_process'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {promisify} from 'node:util'
import {eventually} from '../../support/eventually.ts'
import {projectFile} from '../support/files.ts'

const run = promisify(execFile)

/** A machine with systemd and a network of its own, and with what this one has installed. What it writes is gone with it. */
export type Machine = {
  /** Runs a program as root. @returns what it printed. */
  run(program: string, ...args: readonly string[]): Promise<string>
}

/** Starts a machine that has the project in `/opt/handrail`. */
export async function startMachine(t: TestContext): Promise<Machine> {
  const opened = new AsyncDisposableStack()
  t.after(() => opened.disposeAsync())
  const folder = await mkdtemp(join(tmpdir(), 'handrail-machine-'))
  opened.defer(() => rm(folder, {recursive: true, maxRetries: 3}))
  // A layer over this machine cannot be on a file system that is one itself, as those of containers are.
  await run('mount', ['-t', 'tmpfs', 'tmpfs', folder])
  opened.defer(() => unmount(folder))
  const inside = (name: string) => join(folder, name)
  const [root, upper, work, project] = [inside('root'), inside('upper'), inside('work'), inside('project')]
  await run('mkdir', [root, upper, work, project])
  await run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=/,upperdir=${upper},workdir=${work}`, root])
  opened.defer(() => unmount(root))

  let said = ''
  const source = projectFile('.').replace(/\/+\.?$/, '')
  const container = spawn(
    'systemd-nspawn',
    [
      ...['--quiet', '--boot', '--register=no', '--keep-unit', '--private-network', '--link-journal=no'],
      ...[`--machine=handrail-${process.pid}`, `--directory=${root}`],
      `--overlay=${source.replaceAll(':', '\\:')}:${project}:/opt/handrail`,
      // Nothing that this machine would start.
      'systemd.unit=basic.target',
    ],
    {stdio: ['ignore', 'pipe', 'pipe']},
  )
  const ended = new Promise((resolve) => container.once('close', resolve))
  for (const stream of [container.stdout, container.stderr])
    stream.on('data', (text: Buffer) => {
      said = (said + text).slice(-5_000)
    })
  opened.defer(async () => {
    container.kill('SIGKILL')
    await ended
  })
  const init = await initOf(container, () => said)
  opened.defer(() => {
    process.kill(init, 'SIGKILL')
  })
  const machine: Machine = {
    async run(program, ...args) {
      const {stdout} = await run('nsenter', ['--all', `--target=${init}`, program, ...args], {
        env: {
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          HOME: '/root',
          LANG: 'C.UTF-8',
        },
        maxBuffer: 2 ** 24,
      })
      return stdout
    },
  }
  await eventually(() => machine.run('systemctl', 'is-active', 'basic.target').catch(() => said), /^active/)
  return machine
}

async function unmount(folder: string): Promise<void> {
  await run('umount', ['--lazy', folder])
}

/** The first process of a container, as this machine knows it. */
async function initOf(container: ChildProcess, said: () => string): Promise<number> {
  const children = `/proc/${container.pid}/task/${container.pid}/children`
  return Number(
    await eventually(async () => {
      if (container.exitCode !== null) throw new Error(`systemd-nspawn does not start: ${said()}`)
      const [child = ''] = (await readFile(children, 'utf8')).trim().split(' ')
      const status = await readFile(`/proc/${child}/status`, 'utf8').catch(() => '')
      return /^NSpid:\t\d+\t1$/m.test(status) ? child : ''
    }, /\d/),
  )
}
