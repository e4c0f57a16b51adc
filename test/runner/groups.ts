import {endingOf} from './selection.ts'

/** Test files that share a process. */
export type TestGroup = {readonly name: string; readonly files: readonly string[]}

/** Maximum files of a group: few processes, and none that the others wait for at the end. */
const MAX_FILES = 40

/** A file with a browser, or a system test, takes as long as this many others. */
const LONG_COST = 5

/**
 * The groups that start first, in this order. Studio's browsers keep the processors busy, and meanwhile the tests behind
 * nginx and of a faulty upstream wait for most of their time.
 */
const FIRST = ['studio browser', 'container', 'nginx', 'service system', 'browser']

/**
 * Divides test files into groups. A process takes seconds to start, whatever it runs, so it runs what needs the same: a
 * program of the machine, or none. Studio's browsers are apart, because they take longest, and system tests of each folder,
 * because some measure the memory of their process.
 */
export function groupsOf(files: readonly string[]): TestGroup[] {
  const kinds = Map.groupBy(files, kindOf)
  const groups = [...kinds].flatMap(([kind, members]) => {
    const isLong = /(?:browser|system)$/.test(kind)
    const parts = Math.ceil((members.length * (isLong ? LONG_COST : 1)) / MAX_FILES)
    const size = Math.ceil(members.length / parts)
    const order = FIRST.indexOf(kind)
    return Array.from({length: parts}, (_, part) => ({
      name: parts === 1 ? kind : `${kind} ${part + 1}/${parts}`,
      files: members.slice(part * size, (part + 1) * size),
      order: order < 0 ? FIRST.length : order,
    }))
  })
  return groups.toSorted((a, b) => a.order - b.order || b.files.length - a.files.length)
}

function kindOf(file: string): string {
  const ending = endingOf(file) ?? 'unit'
  const [, folder, name] = file.split('/')
  const place = name === undefined ? 'test' : folder
  return ending === 'system' || (ending === 'browser' && place === 'studio') ? `${place} ${ending}` : ending
}
