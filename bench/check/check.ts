import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {childrenTime} from '../../test/support/processes.ts'
import {median} from '../median.ts'
import {type Run, within} from '../report.ts'
import {writeSites} from './sites.ts'

/** Documents of a site, with the site itself. */
const DOCUMENTS = 11

const SITES = 910

/** The limit for 10,000 documents, in seconds. */
const LIMIT = 3

const CHECK = [join(import.meta.dirname, '../../cli/content.mjs'), 'check']

/** Measures `content check`, as a person or a CI job starts it. */
export async function benchCheck({quick, cleanup, show}: Run) {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-bench-'))
  cleanup.defer(() => rm(folder, {recursive: true, force: true, maxRetries: 3}))
  await writeSites(folder, SITES)
  const checks: Cost[] = []
  for (let round = 0; round <= (quick ? 2 : 5); round += 1) checks.push(await costOf([...CHECK, folder]))
  const seconds = median(checks.slice(1).map((cost) => cost.seconds))
  const cpu = median(checks.slice(1).map((cost) => cost.cpu))
  show({
    title: 'A whole check',
    rows: [
      {
        documents: SITES * DOCUMENTS,
        seconds,
        'CPU seconds': cpu,
        ...within(seconds, LIMIT, ' s'),
      },
    ],
  })
  return {
    title: 'Checking content',
    method: [
      '`content check` as a process of its own, from its start to its end: medians of the runs after one that is not counted.',
      'Each site has the documents of the example shop: eleven, of which six have a script and a schema. No two sites have the same texts.',
    ],
  }
}

/** What a process took, with all of its threads and child processes. */
type Cost = {readonly seconds: number; readonly cpu: number}

async function costOf(args: readonly string[]): Promise<Cost> {
  const before = await childrenTime()
  const started = performance.now()
  const child = spawn(process.execPath, args, {stdio: ['ignore', 'ignore', 'pipe']})
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  const seconds = (performance.now() - started) / 1_000
  if (code !== 0) throw new Error(`The check found errors or failed: ${code}. ${errors}`)
  return {seconds, cpu: ((await childrenTime()) - before) / 1_000}
}
