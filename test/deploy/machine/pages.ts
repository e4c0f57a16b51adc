import {readFile} from 'node:fs/promises'
import {projectFile} from '../support/files.ts'

/** The commands of a page's first block below a heading, as they are in it. */
export async function blockOf(page: string, heading: string): Promise<string> {
  const text = await readFile(projectFile(`docs/${page}.md`), 'utf8')
  const [, below = ''] = text.split(`${heading}\n`)
  const [, block] = /```sh\n([^`]*)```/.exec(below) ?? []
  if (block === undefined) throw new Error(`${page} has no commands below ${heading}`)
  return block
}

/** The commands of a block that are for systemd. */
export async function systemdBlockOf(page: string, heading: string): Promise<string> {
  const parts = (await blockOf(page, heading)).split('\n\n')
  const [part] = parts.filter((one) => one.startsWith('# systemd'))
  if (part === undefined) throw new Error(`${page} has no commands for systemd below ${heading}`)
  return part
}

/** Asserts that a page has a command between backticks or in a block. @returns the command */
export async function commandOf(page: string, command: string): Promise<string> {
  const text = await readFile(projectFile(`docs/${page}.md`), 'utf8')
  if (!text.includes(command)) throw new Error(`${page} does not have the command ${command}`)
  return command
}

/** The commands between backticks of a table's row that have this word. @param first the text of its first cell */
export async function commandsOfRow(page: string, first: string, word: string): Promise<string[]> {
  const text = await readFile(projectFile(`docs/${page}.md`), 'utf8')
  const row = text.split('\n').find((line) => line.startsWith(`| ${first} |`)) ?? ''
  const commands = Array.from(row.matchAll(/`([^`]+)`/g), ([, command = '']) => command)
  return commands.filter((command) => command.includes(word))
}
