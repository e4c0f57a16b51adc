import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {CommandError, type Console} from '../command.ts'
import type {ReportTarget} from './reportToLake.ts'

/** Shown with `--help`. */
export const HELP = `Usage: content test [DIR] --base-url URL [OPTIONS]

Calls the tools of a content repository on the pages of a website, with Playwright Test in Chromium, and judges what they
return by the tests of the tools. Pages get the tools of DIR, whatever is published. Without DIR, it is CONTENT_DIR,
.handrail/content.git or the current directory.

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
  --ignore-https-errors accept certificates that no known authority signed

  --report-to URL       send the results to the lake, for Studio; TEST_REPORT_TOKEN has a token of the role reporter
  --export FILE         write the tests with a prompt for webmcp-evals, one file for each page, and call nothing
  --help                print this help

Options of Playwright: --grep, --headed, --list, --max-failures, --output, --reporter, --retries, --shard, --timeout
(milliseconds of a test, default 90000), --trace, --ui, --workers. CHROMIUM names another Chromium.

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
  'ignore-https-errors': {type: 'boolean', default: false},
  'report-to': {type: 'string'},
  export: {type: 'string'},
} as const

/** https://playwright.dev/docs/test-cli */
const OPTIONS_OF_PLAYWRIGHT = {
  grep: {type: 'string'},
  headed: {type: 'boolean'},
  list: {type: 'boolean'},
  'max-failures': {type: 'string'},
  output: {type: 'string'},
  reporter: {type: 'string'},
  retries: {type: 'string'},
  shard: {type: 'string'},
  timeout: {type: 'string'},
  trace: {type: 'string'},
  ui: {type: 'boolean'},
  workers: {type: 'string'},
} as const

/** The options as typed. */
export type Values = ReturnType<typeof parse>['values']

/** @throws TypeError for an unknown option */
export function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {...OPTIONS, ...OPTIONS_OF_PLAYWRIGHT},
    allowPositionals: true,
  })
}

/** The options that Playwright gets as they were typed. */
export function passedOn(values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (!Object.hasOwn(OPTIONS_OF_PLAYWRIGHT, name)) return []
    return value === true ? [`--${name}`] : [`--${name}=${value}`]
  })
}

/** The website. @throws CommandError if it is not an address without a path */
export function baseUrlOf({'base-url': given}: Values): URL | undefined {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError('--base-url must be an address such as https://staging.example.com.')
  if (/%(?![\da-f]{2})/i.test(url.username + url.password))
    throw new CommandError('--base-url: write "%" in the name or the password as "%25".')
  if (url.pathname !== '/')
    throw new CommandError(`--base-url must have no path: the tests name the pages, as in ${url.pathname}.`)
  return url
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

/** A visitor whom tests name, or with an empty name the one of other tests. */
export type Visitor = {
  readonly name: string
  /** Cookies and storage, or where the module is to save them. */
  readonly state: string
  /** The module that signs in. */
  readonly module?: string
}

/**
 * The visitors that tests run as.
 * @param folder where the states of those who sign in are kept
 * @throws CommandError
 */
export function visitorsOf(values: Values, folder: string, {directory}: Console): Visitor[] {
  const {'storage-state': state, 'sign-in': module, visitor = []} = values
  const typed = visitor.map((one): [string, string] => {
    const [, name, file] = /^([^=]+)=(.+)$/.exec(one) ?? []
    if (name === undefined || file === undefined)
      throw new CommandError('--visitor names a visitor and a file, as in --visitor manager=manager.json.')
    return [name, file]
  })
  const unnamed = module ?? state
  return [...(unnamed === undefined ? [] : [['', unnamed] as const]), ...typed].map(([name, file], index) => {
    const path = resolve(directory, file)
    if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`)
    const isState = name === '' ? module === undefined : file.endsWith('.json')
    return isState ? {name, state: path} : {name, module: path, state: resolve(folder, `${index}.json`)}
  })
}
