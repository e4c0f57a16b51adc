import {printableJson} from '../../printable.ts'
import type {Report} from '../check.ts'

/** The version of the format. Members may be added to it; a change or a removal makes it another version. */
const VERSION = 1

/** The report for programs. `docs/content-check.md` describes it. */
export function jsonReport({documents, findings}: Report): string {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length
  const counts = {errors: count('error'), warnings: count('warning'), infos: count('info')}
  return printableJson({version: VERSION, documents, ...counts, findings})
}
