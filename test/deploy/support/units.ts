import {readFile} from 'node:fs/promises'
import {projectFile} from './files.ts'

/** The settings that a unit sets itself, or those of an environment file. */
export function variablesOf(text: string): Record<string, string> {
  const lines = text.matchAll(/^(?:Environment=)?([A-Z_]+)=(.*)$/gm)
  return Object.fromEntries(Array.from(lines, ([, name = '', value = '']) => [name, value]))
}

/** The settings of a unit whose environment file has this text. */
export async function settingsOf(unit: string, file: string): Promise<Record<string, string>> {
  const text = await readFile(projectFile(`deploy/systemd/${unit}`), 'utf8')
  return {...variablesOf(text.replaceAll('%i', '3000')), ...variablesOf(file)}
}
