import {documentsIn} from '../documents.ts'
import {LAYOUT} from '../layout.ts'
import type {Source} from '../source/source.ts'
import {checkDocument} from './document.ts'
import {checkFiles} from './files.ts'
import type {Finding, Severity} from './finding.ts'
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
