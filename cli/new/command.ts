import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {fieldTitle} from '../../advice/diagnosis/titles.ts'
import {problemsOf} from '../../schemas/index.ts'
import {pageToolsOf} from '../../schemas/rules/names/toolName.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {writeChanges} from '../changes.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {printable} from '../printable.ts'
import {makeFromWebsite} from './fromWebsite.ts'
import {choicesOf, documentOf, filesOf, openPlace, startOf} from './starts.ts'

const HELP = `Usage: content new tool [DIR] [OPTIONS]
       content new [DIR] --from ADDRESS [--site ID]

Writes the files of a new tool into a content repository, made from one of these. FILE may be "-", the standard input.

  --openapi FILE       an API; without --operation, its operations are listed
  --operation NAME     such as "GET /books"
  --request FILE       a request that was copied in a browser as cURL (bash) or as fetch
  --recipe [NAME]      an example to change; without NAME, they are listed
  --from ADDRESS       a website: up to 30 pages that its robots.txt allows, of its sitemap or links, are opened in
                       Chromium. What they have becomes tools that are switched off. Nothing but GET is sent.

  --site ID            the site's public ID or _id, if the repository has several
  --name NAME          such as searchBooks
  --description TEXT   what the tool does, when to use it, and what it returns
  --path PATTERN       the pages with the tool, such as "/books/**"
  --help               print this help

Exit codes: 0 written, or listed; 2 nothing was written.
`

const OPTIONS = {
  openapi: {type: 'string'},
  operation: {type: 'string'},
  request: {type: 'string'},
  recipe: {type: 'string'},
  from: {type: 'string'},
  site: {type: 'string'},
  name: {type: 'string'},
  description: {type: 'string'},
  path: {type: 'string'},
} as const

type Values = ReturnType<typeof parse>['values']

/** `content new`. */
export const command: Command = {help: HELP, run}

function parse(args: readonly string[]) {
  // "--recipe" may stand alone.
  const words = args.map((word, at) =>
    word === '--recipe' && (args[at + 1] ?? '-').startsWith('-') ? '--recipe=' : word,
  )
  return parseArgs({args: words, options: OPTIONS, allowPositionals: true})
}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parse(args)
  if (values.from !== undefined) {
    const [given, ...more] = positionals.filter((word) => word !== 'tool')
    if (more.length > 0) throw new CommandError('Write at most one directory.')
    return makeFromWebsite(values.from, {site: values.site, given}, console)
  }
  const [what, given, ...others] = positionals
  if (what !== 'tool' || others.length > 0)
    throw new CommandError('Write "content new tool", and at most one directory after it.')
  const {openapi, operation, request, recipe} = values
  if ([openapi, request, recipe].filter((one) => one !== undefined).length !== 1)
    throw new CommandError(
      'Say what the tool is made from: one of --openapi, --request, --recipe and --from.',
    )
  if (operation !== undefined && openapi === undefined)
    throw new CommandError('--operation is one of an API: name its file with --openapi.')
  const choices = await choicesOf(values, console)
  if (choices !== undefined) {
    const width = Math.max(...choices.map(({name}) => name.length))
    for (const {name, about} of choices)
      console.out(`${printable(`${name.padEnd(width)}  ${about}`).trim()}\n`)
    return 0
  }
  const {directory, files, notes, address} = await plan(given, values, console)
  await writeChanges(directory, files)
  for (const path of files.keys()) console.out(`${printable(path)}\n`)
  for (const note of notes) console.out(`${printable(note)}\n`)
  if (values.description === undefined)
    console.out(
      'Check the description: agents read in it what the tool does, when to use it, and what it returns.\n',
    )
  const place = given === undefined ? '' : ` ${given}`
  const next = ['check', `test --base-url ${address} --derived`]
  console.out('\nNext:\n')
  for (const words of next)
    console.out(`  handrail-content ${printable(words.replace(/^\w+/, (word) => word + place))}\n`)
  return 0
}

/** Makes the document, by the rules of Studio. @throws CommandError */
async function plan(given: string | undefined, values: Values, console: Console) {
  const {directory, site, tools, ids} = await openPlace({given, site: values.site}, console)
  const addresses = Array.isArray(site.addresses)
    ? site.addresses.filter((one) => typeof one === 'string')
    : []
  const {type, fields, notes} = await startOf(values, addresses, console)
  const document = documentOf(site._id, {type, fields}, values)
  const [broken] = problemsOf(type, document)
  if (broken !== undefined) throw new CommandError(`${fieldTitle(type, broken.field)}: ${broken.problem}`)
  const name = textOf(document.name)
  if (tools.some((other) => other.name === name))
    throw new CommandError(`The site has a tool “${name}”: choose another name with --name.`)
  if (pageToolsOf(site).includes(name))
    throw new CommandError(`The site’s pages have a tool “${name}” already: choose another name with --name.`)
  const {files} = filesOf(type, document, ids)
  const existing = [...files.keys()].find((path) => existsSync(join(directory, path)))
  if (existing !== undefined) throw new CommandError(`${existing} exists: move it, or choose another --name.`)
  return {directory, files, notes, address: addresses[0] ?? 'https://www.example.com'}
}
