import {endingOf} from './selection.ts'

/** Test files that share a process. */
export type TestGroup = {readonly name: string; readonly files: readonly string[]}

/** Maximum files of a group: few processes, and none that the others wait for at the end. */
const MAX_FILES = 25

/** A file with a browser takes as long as this many others. */
const BROWSER_COST = 5

/**
 * Divides test files by folder into groups: those with a browser first, since they take the longest. Files that need
 * a program of the machine are grouped by that, too, because they share it. A system test has a process of its own:
 * some measure the memory of theirs, and some run for minutes.
 */
export function groupsOf(files: readonly string[]): TestGroup[] {
  const folders = Map.groupBy(files, (file) => {
    const [, folder = '', ...rest] = file.split('/')
    return [rest.length === 0 ? 'test' : folder, endingOf(file)]
      .filter((part) => part !== undefined)
      .join(' ')
  })
  // Studio's browser tests take the longest: of folders that are alike, it is the first.
  const groups = [...folders].reverse().flatMap(([name, members]) => {
    const parts = Math.ceil((members.length * costOf(name)) / MAX_FILES)
    const size = Math.ceil(members.length / parts)
    return Array.from({length: parts}, (_, part) => ({
      name: parts === 1 ? name : `${name} ${part + 1}/${parts}`,
      files: members.slice(part * size, (part + 1) * size),
      cost: isBrowser(name) ? Number.MAX_VALUE : size * costOf(name),
    }))
  })
  return groups.toSorted((a, b) => b.cost - a.cost)
}

function isBrowser(name: string): boolean {
  return name.includes(' browser')
}

function costOf(folder: string): number {
  if (folder.endsWith(' system')) return MAX_FILES
  return isBrowser(folder) ? BROWSER_COST : 1
}
