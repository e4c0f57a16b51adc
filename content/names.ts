import {isValidId} from './ids.ts'

// Types become folders and ids become files of the content repository, which people clone on Linux, macOS and
// Windows.
// Existing documents with other names are served anyway; only new ones are rejected.

/** The longest type, id and `.json` together have 198 characters; Windows allows 260 for a whole path. */
const MAX_TYPE_LENGTH = 64

/**
 * Names of devices, regardless of what follows the first dot.
 * https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
 */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Why a new document cannot have this type; undefined if it can. */
export function typeProblem(type: string): string | undefined {
  if (type.length > MAX_TYPE_LENGTH)
    return `a "_type" can have at most ${MAX_TYPE_LENGTH} characters; this one has ${type.length}`
  if (!/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(type))
    return `"${type}" is not a valid document type: use letters, digits, ".", "_" and "-", and start with a letter, a digit or "_"`
  return fileNameProblem(type)
}

/** Why a new document cannot have this id; undefined if it can. */
export function idProblem(id: string): string | undefined {
  if (!isValidId(id))
    return `"${id.slice(0, 200)}" is not a valid document id: use at most 128 letters, digits, ".", "_" and "-", and start with a letter, a digit or "_"`
  return fileNameProblem(id)
}

function fileNameProblem(name: string): string | undefined {
  if (DEVICE.test(name)) return `"${name}" is a device name on Windows: choose another name`
  if (name.endsWith('.')) return `"${name}" ends with a dot, which Windows removes: choose another name`
  if (/\.(lock|git)$/i.test(name)) return `"${name}" ends like one of Git's own files: choose another name`
  return undefined
}
