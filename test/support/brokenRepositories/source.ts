import {type RepositoryFile, type Source, sourceOf} from '../../../cli/source/source.ts'
import {mayBeContent} from '../../../content/layout/layout.ts'
import {type FileContent, MAX_FILE_BYTES} from '../../../content/parseDocument.ts'
import type {BrokenFile} from './brokenRepository.ts'

/** The files of a commit, without Git. Undefined: without that file. */
export function sourceFrom(files: Readonly<Record<string, BrokenFile | undefined>>): Source {
  return sourceOf(
    Object.entries(files).flatMap(([path, file]): RepositoryFile[] => {
      if (file === undefined) return []
      const isExecutable = typeof file === 'object' && 'program' in file
      return [{path, content: contentOf(path, file), isExecutable}]
    }),
  )
}

function contentOf(path: string, file: BrokenFile): FileContent | undefined {
  if (typeof file === 'object' && 'link' in file) return 'link'
  if (typeof file === 'object' && 'submodule' in file) return 'submodule'
  if (!mayBeContent(path)) return undefined
  const bytes = Buffer.from(typeof file === 'object' && 'program' in file ? file.program : file)
  return bytes.length > MAX_FILE_BYTES ? 'too large' : bytes
}
