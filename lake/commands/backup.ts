import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {errorMessage} from '../../common/errorMessage.ts'
import {counted} from '../../common/text/counted.ts'
import {State} from '../../content/state/state.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import {backupsIn, noteBackup, writeBackup} from '../backup/backup.ts'
import {DATABASE} from '../backup/manifest.ts'
import {checkBackup, type Restored, restoreBackup} from '../backup/restore.ts'
import type {LakeSettings} from '../lakeSettings.ts'
import {readWords, required} from './commandLine.ts'

type BackupSettings = Pick<LakeSettings, 'contentDir' | 'gitRemote'>

/**
 * Runs `backup`, `verify` or `restore`.
 * @returns the text to print; undefined if the words are another command
 * @throws Error with the text to print
 */
export async function runBackupCommand(
  words: readonly string[],
  {contentDir, gitRemote}: BackupSettings,
): Promise<string | undefined> {
  const {values, positionals} = readWords(words)
  switch (positionals.join(' ')) {
    case 'verify':
      return verify(resolve(required(values.from, 'from')))
    case 'backup':
      return backUp(contentDir, resolve(required(values.to, 'to')), readCount(values.keep))
    case 'restore': {
      const from = required(values.from, 'from')
      const restored = await restoreBackup({from, contentDir, gitRemote})
      return describe(restored, contentDir)
    }
    default:
      return undefined
  }
}

/** Reads every backup in a folder. @throws Error with the text to print if one is damaged, or if there is none */
async function verify(folder: string): Promise<string> {
  const names = existsSync(folder) ? await backupsIn(folder) : []
  if (names.length === 0) throw new Error(`${folder} has no backup`)
  const problems: string[] = []
  for (const name of names)
    await checkBackup(join(folder, name)).catch((error: unknown) => problems.push(errorMessage(error)))
  const whole = names.length - problems.length
  if (problems.length > 0)
    throw new Error([...problems, `${counted(whole, 'backup')} can be restored.`].join('\n'))
  return `${counted(whole, 'backup')} in ${folder} can be restored.`
}

async function backUp(contentDir: string, to: string, keep: number | undefined): Promise<string> {
  const stateFolder = join(contentDir, 'handrail')
  if (!existsSync(join(stateFolder, DATABASE)))
    throw new Error(`CONTENT_DIR ${contentDir} has no lake's database: start the lake once, then try again`)
  const folder = await openContentDirectory(contentDir)
  // To read it: a command of a later version must not change the tables of the lake that runs.
  const state = State.openReadOnly(stateFolder)
  try {
    const path = await writeBackup({folder, state, to, keep})
    return await noteBackup(folder, path).then(
      () => `Wrote ${path}`,
      (error: unknown) => `Wrote ${path}, but could not note that for the metric: ${errorMessage(error)}`,
    )
  } finally {
    state.close()
  }
}

function readCount(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,4}$/.test(text))
    throw new Error(`--keep ${text}: must be a number from 1`)
  return text === undefined ? undefined : Number(text)
}

function describe(restored: Restored, contentDir: string): string {
  const {from, manifest, hasNewer, remoteProblem, drafts} = restored
  const lines = [
    `Restored ${from} to ${contentDir}: the content and ${counted(drafts, 'draft')} of ${manifest.at}.`,
  ]
  if (hasNewer)
    lines.push(
      'Added newer commits of GIT_REMOTE. Drafts that are older than what was published since cannot be published: editors copy what is still needed, and discard them.',
    )
  if (remoteProblem !== undefined)
    lines.push(`Nothing was added from GIT_REMOTE, which the lake tries again: ${remoteProblem}`)
  lines.push(
    `People, tokens and sessions are those of ${manifest.at}: remove again who was removed since then.`,
    'Start the lake.',
  )
  return lines.join('\n')
}
