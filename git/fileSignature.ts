import {stat} from 'node:fs/promises'
import {errorCode} from '../common/errorCode.ts'

/** A value that changes whenever a file does. For a file that is missing or unreadable, the error's code. */
export async function fileSignature(path: string): Promise<string> {
  try {
    const {mtimeNs, size, ino} = await stat(path, {bigint: true})
    return `${mtimeNs}/${size}/${ino}`
  } catch (error) {
    return errorCode(error) ?? ''
  }
}
