import {readFile} from 'node:fs/promises'
import {projectFile} from '../../deploy/support/files.ts'

const SEVERITIES: Readonly<Record<string, string>> = {Errors: 'error', Warnings: 'warning', Infos: 'info'}

/** The codes that a page lists under "Errors", "Warnings" and "Infos", with their severities, in order of the codes. */
export async function listedCodes(page: string): Promise<[code: string, severity: string][]> {
  const [, ...sections] = (await readFile(projectFile(page), 'utf8')).split(/^##+ /m)
  const listed = sections.flatMap((section) => {
    const severity = SEVERITIES[section.slice(0, section.indexOf('\n'))]
    if (severity === undefined) return []
    return Array.from(section.matchAll(/^- `([A-Z_]+)`:/gm), ([, code = '']): [string, string] => [
      code,
      severity,
    ])
  })
  return listed.sort()
}
