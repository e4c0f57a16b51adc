import {writeFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {Browser} from 'playwright-core'
import type {Snapshot} from '../../advice/changes/compare.ts'
import {type CheckedSite, checkSite} from '../../advice/diagnosis/site.ts'
import {describeSite} from '../../advice/diagnosis/words.ts'
import {counted} from '../../common/text/counted.ts'
import {jsonPath} from '../../content/layout/layout.ts'
import {git} from '../../git/process.ts'
import {askBeforeOf} from '../../schemas/rules/hints/askBefore.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {type OfflineSite, serveOffline} from '../../service/offline.ts'
import {Places} from '../check/places.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {readSnapshot} from '../diff/snapshot.ts'
import {contentDirectory, folderInWorkflow} from '../directory.ts'
import {documentsIn} from '../documents.ts'
import {printable} from '../printable.ts'
import {chooseSite} from '../site.ts'
import {readRevision} from '../source/gitFiles.ts'
import type {Source} from '../source/source.ts'
import {readWorkTree} from '../source/workTree.ts'
import {launch} from './browser.ts'
import {evalsOf} from './evals.ts'
import {
  baseUrlOf,
  existingFile,
  type Format,
  formatOf,
  HELP,
  parse,
  reportTarget,
  runOptions,
  type Values,
  visitorFiles,
} from './options.ts'
import {changedSince, type PlanOptions, planTests, type TestPlan} from './plan.ts'
import {withRelease} from './release.ts'
import {githubReport, jsonReport, junitReport} from './report/formats.ts'
import {reportToLake} from './report/lake.ts'
import {textReport} from './report/text.ts'
import {runTests, type TestResult} from './run.ts'
import {close, newContext, type VisitOptions} from './visit.ts'

/** `content test`. */
export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parse(args)
  if (positionals.length > 1) throw new CommandError('There can be only one directory.')
  const directory = await contentDirectory(positionals[0], console)
  const format = formatOf(values, console)
  const baseUrl = baseUrlOf(values)
  const target = reportTarget(values, console)
  const {siteId, publicId, documents, offline, plan} = await readPlan(directory, values, baseUrl, console)
  if (values.export !== undefined)
    return exportEvals(
      plan,
      resolve(console.directory, values.export),
      {isSmoke: values.smoke, baseUrl},
      console,
    )
  if (baseUrl === undefined) throw new CommandError('Name the website with --base-url.')
  const folder = folderInWorkflow(console, directory)
  const report = async (results: readonly TestResult[]) => {
    if (target === undefined) return
    const commit = await commitOf(directory, values.ref, console)
    const isLive = values.against === 'published'
    const revisionOf = (id: string) => (isLive ? undefined : documents.get(id)?._rev)
    const isPartial = values.changed !== undefined
    await reportToLake(target, {siteId, commit, revisionOf, results, isPartial}, console)
  }
  if (plan.tests.length === 0) {
    const note =
      values.changed === undefined
        ? 'Write tests in Studio, or use --derived.'
        : 'No changed tool has tests that run.'
    console.out(reportOf(format, [], [...plan.notes, note], 0, folder))
    await report([])
    return 0
  }
  const options = runOptions(values, {baseUrl, publicId, offline}, console)
  const started = performance.now()
  const browser = await launch(values.browser, baseUrl.origin, console)
  try {
    const {'sign-in': module} = values
    const storageState =
      module === undefined ? options.storageState : await signIn(browser, options, module, console)
    const signedOut = {...options, storageState: undefined}
    const visitors = new Map<string, VisitOptions['storageState']>()
    for (const [name, file] of visitorFiles(values)) {
      const isState = file.endsWith('.json')
      visitors.set(
        name,
        isState ? existingFile(file, console) : await signIn(browser, signedOut, file, console),
      )
    }
    const results = await runTests(browser, plan.tests, {...options, storageState, visitors})
    const took = performance.now() - started
    console.out(reportOf(format, results, plan.notes, took, folder))
    await report(results)
    if (results.every(({isUnopened}) => isUnopened)) return 2
    return results.every(({failures}) => failures.length === 0) ? 0 : 1
  } finally {
    await close(browser)
  }
}

/** The commit that is tested, as far as it is known: a directory need not be in Git. */
async function commitOf(directory: string, ref = 'HEAD', console: Console): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  return (await git(directory, args, {inHook: directory === console.directory}).catch(() => '')).trim()
}

const ANSWERED = 'The site asks visitors before some calls: the tests allowed them.'
const ASKS =
  'The site asks visitors before some calls: no visitor answers here, so tests of these tools fail.'

async function readPlan(directory: string, values: Values, baseUrl: URL | undefined, console: Console) {
  const inHook = directory === console.directory
  const read = (ref: string) => readRevision(directory, ref, {inHook})
  const source = values.ref === undefined ? await readWorkTree(directory) : await read(values.ref)
  const committed = readSnapshot(source)
  const documents =
    values.release === undefined
      ? committed
      : await withRelease(committed, values.lake, values.release, console)
  const site = chooseSite(documents, values.site, baseUrl?.origin)
  const publicId = textOf(site.publicId)
  const checked = checkSite(site._id, [...documents.values()])
  const offline = await serveSite(publicId, checked, documents)
  const base = values.changed === undefined ? undefined : readSnapshot(await read(values.changed))
  const changed = base && changedSince(base, documents, site._id)
  const plan = planTests({
    site: checked,
    documents,
    askBefore: askBeforeOf(site.askBefore),
    configOn: offline.configOn,
    placeOf: placesIn(source, documents),
    isWanted: (id) => changed === undefined || changed.has(id),
    readsOnly: values['read-only'],
    derived: values['derived-all'] ? 'all' : values.derived ? 'reading' : 'none',
  })
  const asks = askBeforeOf(site.askBefore) !== 'never' && plan.tests.length > 0
  const notes = asks ? [...plan.notes, values.against === 'published' ? ASKS : ANSWERED] : plan.notes
  return {siteId: site._id, publicId, documents, offline, plan: {...plan, notes}}
}

async function serveSite(
  publicId: string,
  {reasons}: CheckedSite,
  documents: Snapshot,
): Promise<OfflineSite> {
  const [reason] = reasons
  if (reason !== undefined) throw new CommandError(describeSite(reason))
  const offline = await serveOffline(publicId, [...documents.values()])
  if (offline === undefined)
    throw new CommandError(`The site "${publicId}" is not served: run "content check".`)
  return offline
}

function placesIn(source: Source, documents: Snapshot): PlanOptions['placeOf'] {
  const files = new Map(documentsIn(source).map((one) => [jsonPath(one.key), one]))
  return (id, index) => {
    const key = {type: documents.get(id)?._type ?? '', id}
    const found = files.get(jsonPath(key))
    if (found === undefined) return {path: jsonPath(key)}
    const {path, line} = new Places(key, found.files).inJson(index === undefined ? 'name' : `tests.${index}`)
    return {path, ...(line !== undefined && {line})}
  }
}

/** Runs the module of the user once, and keeps the cookies and the storage that it leaves. */
async function signIn(browser: Browser, options: VisitOptions, file: string, console: Console) {
  const module: {default?: unknown} = await import(pathToFileURL(existingFile(file, console)).href)
  if (typeof module.default !== 'function')
    throw new CommandError(`${file} must export a function by default.`)
  const context = await newContext(browser, options)
  try {
    await module.default(await context.newPage(), {baseUrl: options.baseUrl.origin})
    return await context.storageState()
  } catch (error) {
    throw new CommandError(`${file} failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await close(context)
  }
}

function reportOf(
  format: Format,
  results: readonly TestResult[],
  notes: readonly string[],
  took: number,
  folder: string,
): string {
  switch (format) {
    case 'json':
      return jsonReport(results, notes)
    case 'junit':
      return junitReport(results)
    case 'github':
      return githubReport(results, folder) + textReport(results, notes, took)
    case 'text':
      return textReport(results, notes, took)
  }
}

function exportEvals(
  {tests}: TestPlan,
  file: string,
  {isSmoke, baseUrl}: {readonly isSmoke: boolean; readonly baseUrl: URL | undefined},
  console: Console,
): number {
  const files = evalsOf(tests, file, isSmoke)
  for (const {path, page, cases} of files) {
    writeFileSync(path, `${JSON.stringify(cases, null, 2)}\n`)
    // Without its password.
    const address = baseUrl === undefined ? page : new URL(page, baseUrl.origin).href
    console.out(`${printable(path)}: ${counted(cases.length, 'case')} for ${printable(address)}\n`)
  }
  if (files.length === 0) console.out('No test has a prompt. With --smoke, titles stand in for prompts.\n')
  return 0
}
