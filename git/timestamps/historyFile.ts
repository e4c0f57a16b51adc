import {readFile} from 'node:fs/promises'
import {dirname} from 'node:path'
import {atomicWrite, ensureDirectory, fileModeIn, OWNER_ONLY} from '../../common/atomicWrite.ts'
import {isJsonObject} from '../../common/json.ts'
import type {Step} from './gitLog.ts'

/** Format version of the file. A file of another version is ignored, and the history is walked again. */
const VERSION = 1

/**
 * Loads the steps that an earlier run saved. Returns none if the file is missing or damaged: Git still has
 * them, only slower.
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

/** Writes the steps. After a crash the file has the old ones or the new ones. */
export async function saveSteps(file: string, steps: readonly Step[]): Promise<void> {
  const folder = dirname(file)
  await ensureDirectory(folder, OWNER_ONLY)
  const mode = await fileModeIn(folder)
  await atomicWrite(file, JSON.stringify({version: VERSION, steps}), {mode, prefix: '.history-'})
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
