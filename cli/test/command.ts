import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {counted} from '../../common/text/counted.ts'
import {git} from '../../git/process.ts'
import {askBeforeOf} from '../../schemas/rules/hints/askBefore.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {contentDirectory} from '../directory.ts'
import {playwrightTest} from '../playwright.ts'
import {printable} from '../printable.ts'
import {evalsOf} from './evals.ts'
import {baseUrlOf, HELP, parse, passedOn, reportTarget, type Values, visitorsOf} from './options.ts'
import type {TestPlan} from './plan.ts'
import {reportToLake} from './reportToLake.ts'
import {type Settings, VARIABLE} from './settings.ts'
import {planOf, readSite, type TestedSite} from './site.ts'

/** `content test`. */
export const command: Command = {help: HELP, run}

const ANSWERED = 'The site asks visitors before some calls: the tests allowed them.'
const ASKS =
  'The site asks visitors before some calls: no visitor answers here, so tests of these tools fail.'

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parse(args)
  if (positionals.length > 1) throw new CommandError('There can be only one directory.')
  const directory = await contentDirectory(positionals[0], console)
  const baseUrl = baseUrlOf(values)
  const target = reportTarget(values, console)
  const {ref, release, lake, against, changed, derived, 'derived-all': all, 'read-only': readsOnly} = values
  const content = {directory, site: values.site, ref, release, lake, against}
  const site = await readSite(content, baseUrl?.origin, console.environment)
  const selection = {changed, readsOnly, derived: all ? 'all' : derived ? 'reading' : 'none'} as const
  const plan = await planOf(site, directory, selection)
  if (values.export !== undefined)
    return exportEvals(plan, resolve(console.directory, values.export), baseUrl, console)
  if (baseUrl === undefined) throw new CommandError('Name the website with --base-url.')
  for (const note of notesOf(plan, site, values)) console.error(`note: ${printable(note)}\n`)
  const report = values.list ? undefined : target && {target, run: await runOf(site, directory, values)}
  if (plan.tests.length === 0) {
    console.out('There are no tests to run.\n')
    if (report !== undefined) await reportToLake(report.target, report.run, [], console)
    return 0
  }
  const folder = await mkdtemp(join(tmpdir(), 'handrail-content-test-'))
  try {
    return await runPlaywright(console, passedOn(values), {
      content: {...content, site: site.publicId},
      selection,
      baseUrl: baseUrl.href,
      ignoreHttpsErrors: values['ignore-https-errors'],
      visitors: visitorsOf(values, folder, console),
      output: values.trace === undefined ? join(folder, 'results') : join(console.directory, 'test-results'),
      isText: values.reporter === undefined,
      report,
    })
  } finally {
    await rm(folder, {recursive: true, force: true})
  }
}

function notesOf({tests, notes}: TestPlan, {id, documents, isPublished}: TestedSite, {changed}: Values) {
  if (tests.length === 0)
    return [
      ...notes,
      changed === undefined
        ? 'Write tests in Studio, or use --derived.'
        : 'No changed tool has tests that run.',
    ]
  const asks = askBeforeOf(documents.get(id)?.askBefore) !== 'never'
  return asks ? [...notes, isPublished ? ASKS : ANSWERED] : notes
}

/** Options with which some tests do not run. */
const PARTIAL = ['changed', 'grep', 'shard'] as const

async function runOf({id, documents, isPublished}: TestedSite, directory: string, values: Values) {
  // A directory need not be in Git.
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${values.ref ?? 'HEAD'}^{commit}`]
  const commit = (await git(directory, args).catch(() => '')).trim()
  const revisions = Object.fromEntries([...documents.values()].map(({_id, _rev}) => [_id, _rev]))
  const isPartial = PARTIAL.some((name) => values[name] !== undefined)
  return {siteId: id, commit, isPartial, ...(!isPublished && {revisions})}
}

/** Runs Playwright Test with the plan of these settings. Returns its exit code. */
async function runPlaywright(console: Console, options: readonly string[], settings: Settings) {
  const typeScript = new URL('../typeScript.mjs', import.meta.url)
  const [config, reporter] = [
    new URL('./config.ts', import.meta.url),
    new URL('./reporter.ts', import.meta.url),
  ]
  const program = [
    ...(existsSync(typeScript) ? ['--import', typeScript.href] : []),
    playwrightTest(),
    ...['test', '--config', fileURLToPath(config), '--add-reporter', fileURLToPath(reporter), ...options],
  ]
  const child = spawn(process.execPath, program, {
    cwd: console.directory,
    env: {
      PLAYWRIGHT_HTML_OUTPUT_DIR: 'playwright-report',
      ...console.environment,
      // Node itself reads TypeScript: Playwright would translate it again.
      PW_DISABLE_TS_ESM: '1',
      [VARIABLE]: JSON.stringify(settings),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.setEncoding('utf8').on('data', console.out)
  child.stderr.setEncoding('utf8').on('data', console.error)
  const [code] = await once(child, 'close')
  return code === 0 ? 0 : 1
}

function exportEvals({tests}: TestPlan, file: string, baseUrl: URL | undefined, console: Console): number {
  const files = evalsOf(tests, file)
  for (const {path, page, cases} of files) {
    writeFileSync(path, `${JSON.stringify(cases, null, 2)}\n`)
    // Without its password.
    const address = baseUrl === undefined ? page : new URL(page, baseUrl.origin).href
    console.out(`${printable(path)}: ${counted(cases.length, 'case')} for ${printable(address)}\n`)
  }
  if (files.length === 0) console.out('No test has a prompt.\n')
  return 0
}
