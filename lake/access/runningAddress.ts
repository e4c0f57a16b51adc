import {rm} from 'node:fs/promises'
import {errorCode} from '../../common/errorCode.ts'
import {isJsonObject} from '../../common/json.ts'
import {PrivateFile} from './credentials/privateFile.ts'

/**
 * Where browsers reach a lake that listens on this machine. Not the IP address: browsers do not share cookies between
 * it and `localhost`.
 */
export function browserAddress(address: string): string {
  return address.replace('//127.0.0.1:', '//localhost:')
}

/**
 * Notes the address of a running lake, so that the command line makes links to it. A lake also starts on a full disk:
 * links then have the address of the settings.
 * @returns removes the note
 */
export async function noteAddress(editorsFile: string, address: string): Promise<() => Promise<void>> {
  const file = fileOf(editorsFile)
  await file.write({address, pid: process.pid}).catch(() => {})
  return () => rm(file.path, {force: true}).catch(() => {})
}

/** The address of the lake that uses a file of editors; undefined if none runs. */
export async function notedAddress(editorsFile: string): Promise<string | undefined> {
  const noted = await fileOf(editorsFile)
    .read()
    .catch(() => undefined)
  if (!isJsonObject(noted) || typeof noted.address !== 'string' || typeof noted.pid !== 'number')
    return undefined
  return isRunning(noted.pid) ? noted.address : undefined
}

function fileOf(editorsFile: string): PrivateFile {
  return new PrivateFile(editorsFile.replace(/(\.json)?$/, '.address.json'))
}

/** A process that was killed leaves its note. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
