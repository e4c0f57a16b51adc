import {cp, mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import type {JsonObject} from '../../common/json.ts'
import {Layout} from '../../content/layout/layout.ts'
import {splitDocument} from '../../content/layout/splitDocument.ts'
import {State} from '../../content/state/state.ts'
import type {TestRepository} from '../lake/support/git.ts'
import {OVERTAKEN, servedCommit} from './api.ts'
import {SOAK_FILES} from './files.ts'
import type {LakeProcess} from './process.ts'
import {hold} from './violation.ts'

type Git = Pick<TestRepository, 'git'>

/** Time limit for the lake to follow HEAD, in milliseconds. */
const settling = 5_000

/**
 * Waits until the lake serves HEAD, which a commit may just have moved.
 * @throws Violation
 */
export async function checkFollowed({git}: Git, address: string): Promise<void> {
  for (const deadline = Date.now() + settling; ; await setTimeout(20)) {
    const head = (await git('rev-parse', 'HEAD')).trim()
    const served = await servedCommit(address)
    if (served === head) return
    hold(Date.now() < deadline, `HEAD is ${head}, and the lake serves ${served}`)
  }
}

/**
 * Checks that an idle lake has left the repository intact and serves its content.
 * @param documents as the lake serves them, drafts too
 * @throws Violation
 */
export async function checkRepository(
  {git}: Git,
  documents: ReadonlyMap<string, JsonObject>,
  layout = new Layout(SOAK_FILES),
): Promise<void> {
  await checkSound({git})
  const served = new Map(
    Array.from(documents.values())
      .filter(({_id}) => !String(_id).startsWith('drafts.'))
      .flatMap((document) => [
        ...splitDocument(layout, {type: String(document._type), id: String(document._id)}, document),
      ]),
  )
  const names = (await git('ls-tree', '-r', '-z', '--name-only', 'HEAD'))
    .split('\0')
    .filter((name) => name !== '')
  hold(
    names.length === served.size && names.every((name) => served.has(name)),
    `HEAD has ${names.join(' ')}, and the lake serves ${[...served.keys()].join(' ')}`,
  )
  for (const [path, text] of served) {
    const found = await git('show', `HEAD:${path}`)
    hold(found === text, `the lake serves another ${path} than HEAD has`)
  }
}

/**
 * Checks that Git finds nothing broken.
 * @throws Violation
 */
async function checkSound({git}: Git): Promise<void> {
  // Not `git fsck` itself: the lake packs objects meanwhile, and fsck reports those that move as missing.
  const copy = await mkdtemp(join(tmpdir(), 'handrail-fsck-'))
  try {
    const strictly = ['-c', 'transfer.fsckObjects=true']
    await git(...strictly, 'clone', '--quiet', '--mirror', '--no-local', '.', copy)
  } catch (error) {
    hold(false, `git fsck finds ${error}`)
  } finally {
    await rm(copy, {recursive: true, force: true})
  }
}

/**
 * Checks that, after a kill, a copy of the database is whole.
 * @throws Violation
 */
export async function checkState({directory}: TestRepository): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'handrail-state-'))
  try {
    await cp(join(directory, 'handrail'), copy, {recursive: true})
    State.open(copy).close()
  } finally {
    await rm(copy, {recursive: true})
  }
}

/**
 * Checks that the lake has logged no problem.
 * @throws Violation
 */
export function checkLog({log, said}: LakeProcess): void {
  const bad = log.filter(
    ({level, msg, err}) =>
      (Number(level) >= 50 && !OVERTAKEN.test(JSON.stringify(err))) ||
      /damaged|not a valid/.test(String(msg)),
  )
  hold(bad.length === 0 && said.length === 0, `the lake says ${JSON.stringify([...bad, ...said])}`)
}
