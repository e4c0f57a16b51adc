import {fieldTitle} from '../../../advice/diagnosis/titles.ts'
import {printable} from '../../printable.ts'
import type {Report, ReportedFinding} from '../check.ts'

/** GitHub's names of the severities. */
const COMMANDS = {error: 'error', warning: 'warning', info: 'notice'} as const

/**
 * The findings as workflow commands, which GitHub shows next to the lines of a pull request.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 * @param folder the directory of the content in the repository, such as `content/`; empty if it is the root
 */
export function githubReport({findings}: Report, folder: string): string {
  return findings.map((finding) => `${commandOf(finding, folder)}\n`).join('')
}

function commandOf(finding: ReportedFinding, folder: string): string {
  const {severity, path, line, column: col, message, code, type, field} = finding
  const title = type === undefined || field === undefined ? code : `${fieldTitle(type, field)} (${code})`
  const properties = Object.entries({file: folder + path, line, col, title}).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapeProperty(String(value))}`,
  )
  return `::${COMMANDS[severity]} ${properties.join(',')}::${escapeData(message)}`
}

/** https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
function escapeData(text: string): string {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
