import {join} from 'node:path'
import {createInterface} from 'node:readline/promises'
import {release} from './release.ts'

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({input: process.stdin, output: process.stdout})
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

try {
  process.exitCode = await release(process.argv.slice(2), {
    root: join(import.meta.dirname, '..'),
    print: console.log,
    confirm: process.stdin.isTTY ? confirm : undefined,
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
