import {existsSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {CommandError, type Console} from '../command.ts'
import type {ReportTarget} from './report/lake.ts'
import type {RunOptions} from './run.ts'

/** Shown with `--help`. */
export const HELP = `Usage: content test [DIR] --base-url URL [OPTIONS]

Calls the tools of a content repository on the pages of a website, in Chromium, and judges what they return by the tests
of the tools. Pages get the tools of DIR, whatever is published. Without DIR, it is CONTENT_DIR, .handrail/content.git
or the current directory.

  --base-url URL        the website, such as https://staging.example.com; a name and password for it may be in the URL
  --site PUBLIC_ID      the site, if the repository has several and none has this address
  --ref REVISION        a commit instead of the work tree
  --release NAME        as they will be when a release of the lake is published; LAKE_API_TOKEN has a token that may read
  --lake URL            the lake, for --release
  --changed BASE        only tools that differ from the commit BASE
  --against published   call what is published, not what DIR has
  --read-only           only tools that only read, as on a live website

  --derived             also call tools that only read with inputs that follow from their parameters
  --derived-all         the same for tools that change something: never on a live website

  --storage-state FILE  cookies and storage of a signed-in visitor, as Playwright saves them
  --sign-in FILE        a module that signs in: export default async (page, {baseUrl}) => {…}
  --visitor NAME=FILE   for tests of this visitor: cookies and storage (.json), or a module that signs in; repeatable
  --browser FILE        the program of Chromium; by default CHROMIUM, Playwright's, or the system's
  --ignore-https-errors accept certificates that no known authority signed
  --workers N           pages that are open at a time (default: one more than processors)
  --wait SECONDS        until a page has its tools (default: 5)
  --slow SECONDS        a longer call fails its test (default: 5)
  --timeout SECONDS     until a call is given up (default: 30)

  --format FORMAT       text (default), json, junit or github (default on GitHub): annotations and the text
  --report-to URL       send the results to the lake, for Studio; TEST_REPORT_TOKEN has a token of the role reporter
  --export FILE         write the tests with a prompt for webmcp-evals, one file for each page, and call nothing
  --smoke               with --export, also tests without a prompt
  --help                print this help

Exit codes: 0 all passed, 1 some failed, 2 the tests cannot run.
`

const OPTIONS = {
  'base-url': {type: 'string'},
  site: {type: 'string'},
  ref: {type: 'string'},
  release: {type: 'string'},
  lake: {type: 'string'},
  changed: {type: 'string'},
  against: {type: 'string'},
  'read-only': {type: 'boolean', default: false},
  derived: {type: 'boolean', default: false},
  'derived-all': {type: 'boolean', default: false},
  'storage-state': {type: 'string'},
  'sign-in': {type: 'string'},
  visitor: {type: 'string', multiple: true},
  browser: {type: 'string'},
  'ignore-https-errors': {type: 'boolean', default: false},
  workers: {type: 'string', default: String(availableParallelism() + 1)},
  wait: {type: 'string', default: '5'},
  slow: {type: 'string', default: '5'},
  timeout: {type: 'string', default: '30'},
  format: {type: 'string'},
  'report-to': {type: 'string'},
  export: {type: 'string'},
  smoke: {type: 'boolean', default: false},
} as const

const FORMATS = ['text', 'json', 'junit', 'github'] as const

export type Format = (typeof FORMATS)[number]

/** Milliseconds that a page has to load. */
const LOAD_TIMEOUT = 30_000

/** The options as typed. */
export type Values = ReturnType<typeof parse>['values']

/** @throws TypeError for an unknown option */
export function parse(args: readonly string[]) {
  return parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
}

/** @throws CommandError */
export function formatOf({format}: Values, {environment}: Console): Format {
  if (format === undefined) return environment.GITHUB_ACTIONS === 'true' ? 'github' : 'text'
  const known = FORMATS.find((one) => one === format)
  if (known === undefined) throw new CommandError(`--format is one of ${FORMATS.join(', ')}.`)
  return known
}

/** The website. @throws CommandError if it is not an address without a path */
export function baseUrlOf({'base-url': given}: Values): URL | undefined {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError('--base-url must be an address such as https://staging.example.com.')
  if ([url.username, url.password].some((text) => !isEncoded(text)))
    throw new CommandError('--base-url: write "%" in the name or the password as "%25".')
  if (url.pathname !== '/')
    throw new CommandError(`--base-url must have no path: the tests name the pages, as in ${url.pathname}.`)
  return url
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

/** Where results are sent to. @throws CommandError */
export function reportTarget(values: Values, {environment}: Console): ReportTarget | undefined {
  const {'report-to': address} = values
  if (address === undefined) return undefined
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new CommandError('--report-to must be the address of the lake, such as https://lake.example.com.')
  const {TEST_REPORT_TOKEN: token} = environment
  if (token === undefined || token === '')
    throw new CommandError(
      'Set TEST_REPORT_TOKEN: "npm run lake -- token add --role reporter" makes a token.',
    )
  return {address, token}
}

/**
 * How pages are opened and called.
 * @throws CommandError if an option has a wrong value
 */
export function runOptions(
  values: Values,
  {offline, ...site}: Pick<RunOptions, 'baseUrl' | 'publicId' | 'offline'>,
  console: Console,
): RunOptions {
  const {against, 'storage-state': stateFile} = values
  if (against !== undefined && against !== 'published') throw new CommandError('--against is "published".')
  return {
    ...site,
    offline: against === 'published' ? undefined : offline,
    storageState: stateFile === undefined ? undefined : existingFile(stateFile, console),
    visitors: new Map(),
    ignoreHttpsErrors: values['ignore-https-errors'],
    loadTimeout: LOAD_TIMEOUT,
    workers: Math.ceil(numberIn('workers', values.workers)),
    wait: 1_000 * numberIn('wait', values.wait),
    slow: 1_000 * numberIn('slow', values.slow),
    timeout: 1_000 * numberIn('timeout', values.timeout),
  }
}

/** The files of visitors, by their names. @throws CommandError */
export function visitorFiles({visitor = []}: Values): [name: string, file: string][] {
  return visitor.map((typed) => {
    const [, name, file] = /^([^=]+)=(.+)$/.exec(typed) ?? []
    if (name === undefined || file === undefined)
      throw new CommandError('--visitor names a visitor and a file, as in --visitor manager=manager.json.')
    return [name, file]
  })
}

/** The path of a file that an option names. @throws CommandError if there is none */
export function existingFile(file: string, {directory}: Console): string {
  const path = resolve(directory, file)
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`)
  return path
}

function numberIn(option: string, text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 3_600)) throw new CommandError(`--${option} must be a number above 0.`)
  return value
}
