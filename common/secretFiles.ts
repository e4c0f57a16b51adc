import {readFileSync} from 'node:fs'
import {errorCode} from './errorCode.ts'

/** Maximum size of a file with a secret, in characters. */
const MAX_LENGTH = 64 * 1_024

const secrets = new WeakSet<object>()

/** Marks the specification of a setting that `readSettings` also reads from the file that `NAME_FILE` names. */
export function secret<S extends object>(spec: S): S {
  secrets.add(spec)
  return spec
}

/**
 * Reads the secrets that are in files, as Kubernetes and Docker provide them. A line break at the end is not part of a secret.
 * @returns their values, and what is wrong, without any content of a file
 */
export function readSecretFiles(
  environment: NodeJS.ProcessEnv,
  specs: object,
): {values: Record<string, string>; problems: string[]} {
  const values: Record<string, string> = {}
  const problems: string[] = []
  for (const [name, spec] of Object.entries(specs)) {
    const path = environment[`${name}_FILE`]
    if (!path || !secrets.has(spec)) continue
    const text = contentOf(path)
    const problem = environment[name] ? `set it or ${name}, not both.` : text.problem
    if (problem === undefined) values[name] = text.value
    else problems.push(`${name}_FILE: ${problem}`)
  }
  return {values, problems}
}

function contentOf(path: string): {value: string; problem?: string} {
  try {
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (value === '') return {value, problem: `${path} is empty.`}
    if (value.length > MAX_LENGTH) return {value, problem: `${path} is too large for a secret.`}
    return {value}
  } catch (error) {
    return {value: '', problem: `${path} cannot be read: ${errorCode(error) ?? error}.`}
  }
}
