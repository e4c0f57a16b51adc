import {LAYOUT_FILE} from '../../content/layout/layout.ts'
import {documentsIn} from '../documents.ts'
import {readLayout} from '../layout.ts'
import type {Source} from '../source/source.ts'
import {checkDocument} from './document.ts'
import {checkFiles} from './files.ts'
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
  const {layout, problem: broken} = readLayout(source)
  const documents = documentsIn(source, layout)
  const checked = documents.map((document) => checkDocument(layout, document))
  const findings = [
    ...(broken === undefined ? [] : [layoutProblem(broken)]),
    ...checkFiles(source.files, layout),
    ...checked.flatMap((document) => document.findings),
    ...checkRepository(checked),
  ]
  return {
    documents: documents.length,
    findings: findings.map((finding) => withType(finding, layout.placeOf(finding.path)?.type)).sort(inOrder),
  }
}

function layoutProblem({message, line}: {readonly message: string; readonly line?: number}): Finding {
  const text = `The lake cannot read the layout of this repository: ${message}.`
  return problem('LAYOUT_INVALID', LAYOUT_FILE, text, line === undefined ? {} : {line})
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
