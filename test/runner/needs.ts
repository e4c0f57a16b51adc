import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmdirSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {findChromium} from '../support/browser.ts'
import {hasNginx} from '../support/network/nginx.ts'
import {hasRedis} from '../support/network/redis.ts'
import {findGroqSuite} from './groqSuite.ts'
import {findSchemaSuite} from './schemaSuite.ts'
import {endingOf} from './selection.ts'

type Need = {
  readonly isMet: () => boolean
  readonly advice: string
  /** Whether CI fails without it. */
  readonly isRequired: boolean
}

/** Why a test cannot run on this machine. */
export type Unmet = {readonly message: string; readonly isRequired: boolean}

/** What the tests with an ending need in addition to Node and Git, and how to get it. */
const NEEDS: ReadonlyMap<string, Need> = new Map([
  [
    'browser',
    {
      isMet: () => findChromium() !== undefined,
      isRequired: true,
      advice: 'install chromium, or set CHROMIUM to its path',
    },
  ],
  ['redis', {isMet: hasRedis, isRequired: true, advice: 'install redis-server'}],
  ['nginx', {isMet: hasNginx, isRequired: true, advice: 'install nginx and openssl'}],
  [
    'promtool',
    {
      isMet: () => spawnSync('promtool', ['--version']).status === 0,
      isRequired: true,
      advice: 'install prometheus',
    },
  ],
  [
    'suite',
    {
      isMet: () => findSchemaSuite() !== undefined,
      isRequired: true,
      advice: 'install libtest-json-schema-acceptance-perl, or set JSON_SCHEMA_TEST_SUITE to a clone',
    },
  ],
  [
    'groq',
    {
      isMet: () => findGroqSuite() !== undefined,
      isRequired: false,
      advice: 'set GROQ_TEST_SUITE to a clone of github.com/sanity-io/groq-test-suite that was built',
    },
  ],
  [
    'container',
    {
      isMet: () => mayMount() && mayContain(),
      isRequired: false,
      advice: 'run them as root with systemd-container',
    },
  ],
  ['mount', {isMet: mayMount, isRequired: false, advice: 'run them as a user who may mount file systems'}],
  [
    'user',
    {isMet: () => process.getuid?.() !== 0, isRequired: false, advice: 'run them as a user who is not root'},
  ],
])

/** The files that cannot run on this machine, each with a line that says what is missing. */
export function unmetNeeds(files: readonly string[]): Map<string, Unmet> {
  const unmet = new Map<string, Unmet>()
  for (const [ending, members] of Map.groupBy(files, endingOf)) {
    const need = ending === undefined ? undefined : NEEDS.get(ending)
    if (need === undefined || need.isMet()) continue
    const message = `Not run: ${members.length} *.${ending}.test.ts. To run them, ${need.advice}.`
    for (const file of members) unmet.set(file, {message, isRequired: need.isRequired})
  }
  return unmet
}

/** Whether a container can be started at all. It is over this machine's own programs, and ends at once. */
function mayContain(): boolean {
  const options = [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--private-network',
    '--volatile=yes',
    '--directory=/',
  ]
  return spawnSync('systemd-nspawn', [...options, 'true']).status === 0
}

function mayMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'handrail-mount-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', directory]).status === 0
  if (mounted) spawnSync('umount', [directory])
  rmdirSync(directory)
  return mounted
}
