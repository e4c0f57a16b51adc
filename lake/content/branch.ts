import {readFile} from 'node:fs/promises'
import {join} from 'node:path'

/** The full name of the ref that HEAD is on, such as `refs/heads/main`; undefined where it is detached. */
export async function readBranch(gitDir: string): Promise<string | undefined> {
  return /^ref: (\S+)/.exec(await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => ''))?.[1]
}
