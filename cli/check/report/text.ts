import {fieldTitle} from '../../../advice/diagnosis/titles.ts'
import {counted} from '../../../common/text/counted.ts'
import {printable} from '../../printable.ts'
import type {Report, ReportedFinding} from '../check.ts'
import type {Severity} from '../finding.ts'

/** The report for a person: the findings of each file below its path. */
export function textReport({documents, findings}: Report): string {
  const groups = Map.groupBy(findings, ({path}) => path)
  const files = Array.from(groups, ([path, group]) => {
    return `${printable(path)}\n${group.map(lineOf).join('')}\n`
  })
  return `${files.join('')}${summary(documents, findings)}\n`
}

function lineOf(finding: ReportedFinding): string {
  const {line, column, severity, code, message} = finding
  const place = line === undefined ? '' : `${line}:${column ?? 1}`
  return `  ${place.padEnd(7)} ${severity.padEnd(7)}  ${fieldOf(finding)}${printable(message)} (${code})\n`
}

function fieldOf({type, field}: ReportedFinding): string {
  return type === undefined || field === undefined ? '' : `${printable(fieldTitle(type, field))}: `
}

function summary(documents: number, findings: readonly ReportedFinding[]): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
  const counts = [
    counted(count('error'), 'error'),
    counted(count('warning'), 'warning'),
    counted(count('info'), 'hint'),
  ]
  const found = counts.filter((text) => !text.startsWith('0 '))
  return `${counted(documents, 'document')}: ${found.length === 0 ? 'nothing to report' : found.join(', ')}.`
}
