import {basename} from 'node:path/posix'
import {TYPES} from '../../advice/diagnosis/titles.ts'
import {isValidId} from '../../content/ids.ts'
import {idProblem, typeProblem} from '../../content/names.ts'
import {documentsIn} from '../documents.ts'
import {LAYOUT} from '../layout.ts'
import type {RepositoryFile, Source} from '../source/source.ts'
import {checkDocument} from './document.ts'
import {type Finding, problem, type Severity} from './finding.ts'
import {checkRepository} from './repository.ts'

/** What is wrong in a repository. */
export type Report = {
  /** The number of documents, valid or not. */
  readonly documents: number
  readonly findings: readonly ReportedFinding[]
}

/** A finding, with the type of the document that the file belongs to. */
export type ReportedFinding = Finding & {readonly type?: string}

/** Checks a repository. Nothing in it can make this fail. */
export function check(source: Source): Report {
  const documents = documentsIn(source)
  const checked = documents.map((document) => checkDocument(document))
  const findings = [
    ...checkFiles(source.files),
    ...checked.flatMap((document) => document.findings),
    ...checkRepository(checked),
  ]
  return {
    documents: documents.length,
    findings: findings.map((finding) => withType(finding, LAYOUT.placeOf(finding.path)?.type)).sort(inOrder),
  }
}

function withType(finding: Finding, type: string | undefined): ReportedFinding {
  return type === undefined ? finding : {...finding, type}
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

/** By file, then by line, the most important one first. */
function inOrder(a: Finding, b: Finding): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
}

/** Files that operating systems and editors leave behind. */
const OF_SYSTEM = /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|.*~|.*\.(?:swp|orig|rej|bak))$/i

/** Checks the names and kinds of a repository's files, not what is in them. */
function checkFiles(files: readonly RepositoryFile[]): Finding[] {
  return [...files.flatMap(checkFile), ...caseCollisions(files)]
}

function checkFile(file: RepositoryFile): Finding[] {
  const {path, content, isExecutable} = file
  if (OF_SYSTEM.test(basename(path))) {
    const message =
      'An operating system or an editor left this file: delete it, and add its name to .gitignore.'
    return [problem('FILE_OF_SYSTEM', path, message)]
  }
  const folder = folderProblem(file)
  if (folder !== undefined) return [folder]
  const place = LAYOUT.placeOf(path)
  if (place === undefined) return unread(path)
  const findings: Finding[] = []
  if (content === 'unreadable') {
    const message = `The file cannot be read: ${file.failure}. Correct the permissions or the kind of the file.`
    findings.push(problem('FILE_UNREADABLE', path, message))
  }
  if (isExecutable) {
    const message = 'The file is marked as a program: run "git update-index --chmod=-x" with its path.'
    findings.push(problem('FILE_EXECUTABLE', path, message))
  }
  // The name of a text is that of its document. An invalid id is an error of its own.
  const isNamed = place.field === undefined && isValidId(place.id)
  const name = isNamed ? (typeProblem(place.type) ?? idProblem(place.id)) : undefined
  if (name !== undefined) findings.push(problem('FILE_NAME', path, `The file is served, but ${name}.`))
  return findings
}

/** A folder of documents that is a link or a submodule. */
function folderProblem({path, content}: RepositoryFile): Finding | undefined {
  if (!TYPES.includes(path.split('/', 1)[0] ?? '')) return undefined
  const isNested = path.includes('/')
  if (content === 'submodule') {
    const message = 'A submodule is not read: replace it by the files that are in it.'
    return problem('FOLDER_NOT_READ', path, message)
  }
  if (content === 'link' && !isNested) {
    const message = 'A symbolic link is not followed: replace it by the folder.'
    return problem('FOLDER_NOT_READ', path, message)
  }
  return undefined
}

/** A file in a folder of documents that belongs to no document. */
function unread(path: string): Finding[] {
  const [type = '', name = '', ...deeper] = path.split('/')
  if (!TYPES.includes(type) || name === '') return []
  if (deeper.length > 0) {
    const message = `Files in folders of "${type}" are not read: move it to ${type}/${deeper.at(-1)}.`
    return [problem('FILE_NESTED', path, message)]
  }
  const extensions = ['json', ...LAYOUT.extensions(type).values()].map((extension) => `.${extension}`)
  const message = `The file belongs to no document, because its name does not end with ${extensions.join(' or ')}: rename it, or move it.`
  return [problem('FILE_NOT_READ', path, message)]
}

/** Paths that are one file on Windows and macOS. */
function caseCollisions(files: readonly RepositoryFile[]): Finding[] {
  const groups = Map.groupBy(files, ({path}) => path.normalize('NFC').toLowerCase())
  return [...groups.values()].flatMap(([first, ...others]) => {
    return others.map(({path}) => {
      const message = `On Windows and macOS, this is the same file as ${first?.path}: rename or delete one of them.`
      return problem('CASE_COLLISION', path, message)
    })
  })
}
