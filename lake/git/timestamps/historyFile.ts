import {mkdir, readFile, rename, writeFile} from 'node:fs/promises'
import {dirname} from 'node:path'
import {isJsonObject} from '../../documents/document.ts'
import type {Step} from './gitLog.ts'

/** Written into the file: another version of it is walked anew. */
const VERSION = 1

/**
 * Reads the steps that an earlier run kept, or nothing when there is no file or it is damaged: they can
 * always be read from Git again, only slower.
 */
export async function loadSteps(file: string): Promise<Step[]> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return []
  }
  if (!isJsonObject(value) || value.version !== VERSION || !Array.isArray(value.steps)) return []
  const steps: Step[] = []
  for (const step of value.steps) {
    if (!isStep(step)) return []
    steps.push(step)
  }
  return steps
}

/** Writes the steps aside and renames, so that a crash leaves the old file or the new one. */
export async function saveSteps(file: string, steps: readonly Step[]): Promise<void> {
  await mkdir(dirname(file), {recursive: true})
  const aside = `${file}.${process.pid}`
  await writeFile(aside, JSON.stringify({version: VERSION, steps}))
  await rename(aside, file)
}

function isStep(value: unknown): value is Step {
  return (
    isJsonObject(value) &&
    typeof value.commit === 'string' &&
    typeof value.seconds === 'number' &&
    isPaths(value.added) &&
    isPaths(value.modified)
  )
}

function isPaths(value: unknown): boolean {
  return Array.isArray(value) && value.every((path) => typeof path === 'string')
}
