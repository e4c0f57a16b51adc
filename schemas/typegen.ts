import {readFile, writeFile} from 'node:fs/promises'
import {relative, sep} from 'node:path'
import {fileURLToPath} from 'node:url'
import {findQueriesInPath, safeParseQuery, TypeGenerator} from '@sanity/codegen'
import {builtinTypes, extractSchema} from '@sanity/schema/_internal'
import {readingModule} from './actions/code/reading.ts'
import {requestModule} from './actions/code/request.ts'
import {compileSchema} from './compile.ts'
import {schemaTypes} from './index.ts'
import {jsonSchemas} from './jsonSchemas.ts'

// `npm run typegen` writes the generated files: the types of the service's queries, what scripts of readings and
// requests are made of, the titles of fields, and what explains content repositories (`npm run content -- schema examples/shop/content` then
// writes that of the demo shop). With `--check` it only reports files that are out of date. `sanity schema extract` and
// `sanity typegen generate` do the first part in two processes.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const headOfCode = (source: string) =>
  `// Written by \`npm run typegen\` from schemas/actions/code/${source}. Change that, not this.\n// @ts-nocheck\n\n`
const HEAD = '// Written by `npm run typegen` from the schema and the queries. Change those, not this.\n\n'

/**
 * Generates the types as text. The same schema and queries always give the same text.
 * @param of the names of queries: others are only parsed
 */
export async function generateTypes(pattern: string, of = /./): Promise<string> {
  const {queries} = findQueriesInPath({path: pattern})
  const problems: string[] = []
  const collected = []
  for await (const module of queries) {
    problems.push(...module.errors.map((error) => error.message))
    // The generator skips queries that it cannot parse, and reports them only to a reporter.
    for (const {query, variable} of module.queries) {
      const problem = findSyntaxError(query)
      if (problem !== undefined) problems.push(`${module.filename}: ${variable.id.name}: ${problem}`)
    }
    const typed = module.queries.filter(({variable}) => of.test(variable.id.name))
    const filename = relative(ROOT, module.filename).split(sep).join('/')
    collected.push({...module, filename, queries: typed})
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const {code} = await new TypeGenerator().generateTypes({
    schema: extractOurTypes(),
    queries: iterate(collected),
    root: ROOT,
  })
  return `${HEAD}${resultsIn(code).trimEnd()}\n`
}

/**
 * Leaves out the types of whole documents and the types of `client.fetch`: queries name the fields that they read, and what
 * upstream sends is checked.
 */
function resultsIn(code: string): string {
  const [results = ''] = /^\/\/ Source: [\s\S]*(?=^\/\/ Query TypeMap$)/m.exec(code) ?? []
  return results
}

function findSyntaxError(query: string): string | undefined {
  try {
    safeParseQuery(query)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Leaves out Studio's own types, which our queries do not use. All fields are optional, since drafts may lack
 * required ones.
 */
function extractOurTypes() {
  const builtin = new Set<string>(builtinTypes.map(({name}) => name))
  return extractSchema(compileSchema(), {enforceRequiredFields: false}).filter(({name}) => !builtin.has(name))
}

async function* iterate<T>(values: T[]): AsyncIterable<T> {
  yield* values
}

/** The titles of fields, by their names, of each type. */
function fieldTitles() {
  const titlesOf = (fields: readonly {name: string; title?: string}[]) =>
    Object.fromEntries(fields.map(({name, title}) => [name, title]))
  return Object.fromEntries(schemaTypes.map(({name, fields}) => [name, titlesOf(fields)]))
}

async function main(): Promise<void> {
  const files = [
    {
      target: 'snippet/preview/making/reading.generated.ts',
      code: `${headOfCode('reading.ts')}${readingModule()}`,
    },
    {
      target: 'schemas/making/request.generated.ts',
      code: `${headOfCode('request.ts')}${requestModule()}`,
    },
    {
      target: 'schemas/diagnosis/titles.generated.ts',
      code: `${HEAD}export const FIELD_TITLES: {readonly [type: string]: {readonly [field: string]: string}} = ${JSON.stringify(fieldTitles())}\n`,
    },
    {
      target: 'cli/schema/schemas.generated.ts',
      code: `${HEAD}export const JSON_SCHEMAS = ${JSON.stringify(jsonSchemas())} as const

export const AGENTS_FILE = ${JSON.stringify(await readFile(`${ROOT}examples/shop/content/AGENTS.md`, 'utf8'))}\n`,
    },
    {
      target: 'service/upstream/types.generated.ts',
      code: await generateTypes(`${ROOT.split(sep).join('/')}service/**/!(*.generated).ts`, /^siteQuery$/),
    },
  ]
  for (const {target, code} of files) {
    const path = `${ROOT}${target}`
    if (!process.argv.includes('--check')) await writeFile(path, code)
    else if ((await readFile(path, 'utf8').catch(() => '')) !== code) {
      process.stderr.write(`${target} is stale: run "npm run typegen" and commit it.\n`)
      process.exitCode = 1
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
