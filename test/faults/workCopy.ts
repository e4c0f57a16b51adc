import {execFileSync} from 'node:child_process'
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import type {Fault} from './fault.ts'

/** A copy of the work tree in a temporary folder, in which mistakes can be planted. */
export class WorkCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'handrail-faults-'))
  readonly root = join(this.#folder, 'tree')
  /** Where tests create temporary files. */
  readonly temporary = join(this.#folder, 'tmp')

  /** Copies all files that Git knows, or would add. */
  constructor(source: string) {
    const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {cwd: source})
    for (const path of listed.toString().split('\0')) {
      if (path === '' || lstatSync(join(source, path), {throwIfNoEntry: false})?.isFile() !== true) continue
      mkdirSync(dirname(join(this.root, path)), {recursive: true})
      copyFileSync(join(source, path), join(this.root, path))
    }
    this.#linkModules(source)
    mkdirSync(this.temporary)
    // Tests ask Git about the project.
    const git = (...args: string[]) => execFileSync('git', args, {cwd: this.root, stdio: 'ignore'})
    git('init')
    git('add', '--all')
    git('-c', 'user.name=Faults', '-c', 'user.email=faults@localhost', 'commit', '-m', 'Copy the work tree')
  }

  /** Why a fault cannot be planted; undefined if it can. */
  problemOf({file, find}: Fault): string | undefined {
    const text = lstatSync(join(this.root, file), {throwIfNoEntry: false}) ? this.#read(file) : undefined
    if (text === undefined) return `${file} does not exist`
    const count = text.split(find).length - 1
    return count === 1 ? undefined : `${file} has its text ${count} times, not once`
  }

  /** Plants a fault. Returns a function that removes it. */
  plant({file, find, replace}: Fault): () => void {
    const text = this.#read(file)
    writeFileSync(
      join(this.root, file),
      text.replace(find, () => replace),
    )
    return () => writeFileSync(join(this.root, file), text)
  }

  /** Ends what tests have left running, and removes what they left in the temporary folder. */
  clean(): void {
    endProcessesWith(`TMPDIR=${this.temporary}`)
    for (const name of readdirSync(this.temporary)) removeFolder(join(this.temporary, name))
  }

  remove(): void {
    endProcessesWith(`TMPDIR=${this.temporary}`)
    // A process that is just starting has its variables a moment later.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    endProcessesWith(`TMPDIR=${this.temporary}`)
    removeFolder(this.#folder)
  }

  #read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8')
  }

  /** Links each package, so that what builds write into `node_modules` stays in the copy. */
  #linkModules(source: string): void {
    const [from, to] = [join(source, 'node_modules'), join(this.root, 'node_modules')]
    mkdirSync(to, {recursive: true})
    for (const name of readdirSync(from)) {
      if (name.startsWith('.') && name !== '.bin') continue
      const path = join(from, name)
      // A workspace is a link relative to its folder, and means that of the copy here.
      symlinkSync(lstatSync(path).isSymbolicLink() ? readlinkSync(path) : path, join(to, name))
    }
  }
}

/** Processes that were just ended may create files for another moment. */
function removeFolder(path: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      rmSync(path, {recursive: true, force: true, maxRetries: 5})
      return
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error
    }
  }
}

const MAX_ATTEMPTS = 10

/** Ends the processes, of this machine, that were started with a variable that begins like this. On Linux only. */
function endProcessesWith(variable: string): void {
  if (process.platform !== 'linux') return
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    try {
      const variables = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0')
      if (variables.some((one) => one.startsWith(variable))) process.kill(Number(name), 'SIGKILL')
    } catch {
      // It has ended, or belongs to another person.
    }
  }
}
