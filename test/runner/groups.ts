import {endingOf} from './selection.ts'

/** Test files that share a process. */
export type TestGroup = {readonly name: string; readonly files: readonly string[]}

/** Maximum files of a group: few processes, and none that the others wait for at the end. */
const MAX_FILES = 25

/** A file with a browser, or a system test, takes as long as this many others. A process with browsers takes 3 s to start. */
const LONG_COST = 3

/**
 * The groups that start first, in this order. Studio's browsers keep the processors busy, and meanwhile the tests behind
 * nginx and of a faulty upstream wait for most of their time.
 */
const FIRST = ['studio browser', 'deploy container', 'deploy nginx', 'service system']

/**
 * Divides test files by folder into groups, the longest first. Files that need a program of the machine are grouped by
 * that, too, because they share it.
 */
export function groupsOf(files: readonly string[]): TestGroup[] {
  const folders = Map.groupBy(files, (file) => {
    const [, folder = '', ...rest] = file.split('/')
    return [rest.length === 0 ? 'test' : folder, endingOf(file)]
      .filter((part) => part !== undefined)
      .join(' ')
  })
  const groups = [...folders].flatMap(([name, members]) => {
    const parts = Math.ceil((members.length * costOf(name)) / MAX_FILES)
    const size = Math.ceil(members.length / parts)
    return Array.from({length: parts}, (_, part) => ({
      name: parts === 1 ? name : `${name} ${part + 1}/${parts}`,
      files: members.slice(part * size, (part + 1) * size),
      order: orderOf(name),
      cost: size * costOf(name),
    }))
  })
  return groups.toSorted((a, b) => a.order - b.order || b.cost - a.cost)
}

function orderOf(folder: string): number {
  const order = FIRST.indexOf(folder)
  if (order >= 0) return order
  return isBrowser(folder) ? FIRST.length : FIRST.length + 1
}

function isBrowser(folder: string): boolean {
  return folder.endsWith(' browser')
}

function costOf(folder: string): number {
  return isBrowser(folder) || folder.endsWith(' system') ? LONG_COST : 1
}
