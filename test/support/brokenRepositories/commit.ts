import {spawn} from 'node:child_process'
import {once} from 'node:events'
import type {BrokenFile, BrokenRepository} from './brokenRepository.ts'
import {GOOD_FILES} from './documents.ts'

/** Commits a repository of the table, without a work tree, to a bare or empty repository. */
export async function commitBroken(
  directory: string,
  {files}: BrokenRepository,
  branch = 'main',
): Promise<void> {
  const importing = spawn('git', ['fast-import', '--quiet', '--force'], {
    cwd: directory,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const done = once(importing, 'close')
  importing.stdin.write(
    `commit refs/heads/${branch}\ncommitter Ada <ada@example.com> 9000 +0000\ndata 5\nBreak\n`,
  )
  for (const [path, content] of Object.entries({...GOOD_FILES, ...files})) {
    if (content !== undefined) importing.stdin.write(Buffer.concat(commandFor(path, content)))
  }
  importing.stdin.end('\n')
  const [code] = await done
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
}

function commandFor(path: string, content: BrokenFile): Buffer[] {
  const isPlain = typeof content === 'string' || Buffer.isBuffer(content)
  if (!isPlain && 'submodule' in content) return [Buffer.from(`M 160000 ${content.submodule} ${path}\n`)]
  const [mode, data] = isPlain
    ? ['100644', content]
    : 'link' in content
      ? ['120000', content.link]
      : ['100755', content.program]
  const bytes = Buffer.from(data)
  return [Buffer.from(`M ${mode} inline ${path}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n')]
}
