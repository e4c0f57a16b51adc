import {globSync} from 'node:fs'
import {posix} from 'node:path'
import {importersOf, importsBetween, sourcesOf} from '../runner/imports.ts'

/** The tests that may find a mistake in a file, those that probably do first. */
export type TestsOfFile = {
  /** In the folder that mirrors the file's own, or the nearest that exists. */
  readonly mirrored: readonly string[]
  /** That import the file, directly or through others: the shortest way first. */
  readonly others: readonly string[]
}

/** Finds the tests of a source file; paths are relative to `root`. */
export function testsOf(root: string, file: string): TestsOfFile {
  const mirrored = mirroredTests(root, posix.dirname(file), `${posix.parse(file).name}.`)
  const importers = importersOf([file], importsBetween(root, sourcesOf(root)))
  const others = [...importers].filter((path) => isTest(path) && !mirrored.includes(path))
  return {mirrored, others}
}

function mirroredTests(root: string, folder: string, name: string): string[] {
  if (folder === '.') return []
  const found = globSync(`test/${folder}/**/*.test.ts`, {cwd: root}).sort()
  if (found.length === 0) return mirroredTests(root, posix.dirname(folder), name)
  const isOwn = (path: string) => Number(posix.basename(path).startsWith(name))
  return found.toSorted((a, b) => isOwn(b) - isOwn(a))
}

function isTest(path: string): boolean {
  return path.startsWith('test/') && path.endsWith('.test.ts')
}
