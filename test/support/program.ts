import {type ChildProcess, type SpawnOptions, spawn} from 'node:child_process'
import type {TestContext} from 'node:test'

/** Milliseconds in which a program says what a test waits for, on a machine with a load of forty. */
const PATIENCE = 300_000

/** A program in a process of its own. */
export type Program = {
  readonly child: ChildProcess
  /** Its exit code; null if a signal ended it. All of its output is there then. */
  readonly ended: Promise<number | null>
  readonly output: () => string
  readonly errors: () => string
  /** Waits until its output matches. @throws if it ends before, or takes too long */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
}

/** Runs a program, which is killed after the test if it still runs. */
export function runProgram(
  t: Pick<TestContext, 'after'> | undefined,
  [file = process.execPath, ...args]: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
): Program {
  const child = spawn(file, args, {...options, stdio: ['ignore', 'pipe', 'pipe']})
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  t?.after(() => {
    child.kill('SIGKILL')
    return ended
  })
  const texts = {output: '', errors: ''}
  child.stdout.setEncoding('utf8').on('data', (text) => {
    texts.output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    texts.errors += text
  })
  const said = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const fail = () =>
        settle(() => reject(new Error(`not said: ${pattern} in ${texts.output}${texts.errors}`)))
      const look = () => {
        const found = pattern.exec(texts.output)
        if (found !== null) settle(() => resolve(found))
      }
      const timer = setTimeout(fail, PATIENCE) // a bound for the wait
      const settle = (end: () => void) => {
        clearTimeout(timer)
        child.stdout.off('data', look)
        end()
      }
      child.stdout.on('data', look)
      ended.then(fail)
      look()
    })
  return {child, ended, said, output: () => texts.output, errors: () => texts.errors}
}

/** The address that a log has after some words. */
export function addressAfter(log: string, words: string): string {
  const [address] = /^http:\/\/[\w.]+:\d+/.exec(log.split(`${words}: `)[1] ?? '') ?? []
  if (address === undefined) throw new Error(`no address after “${words}” in ${log}`)
  return address
}
