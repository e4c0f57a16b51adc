import {readFile, writeFile} from 'node:fs/promises'
import {relative, sep} from 'node:path'
import {fileURLToPath} from 'node:url'
import {findQueriesInPath, safeParseQuery, TypeGenerator} from '@sanity/codegen'
import {builtinTypes, extractSchema} from '@sanity/schema/_internal'
import {compileSchema} from './compile.ts'

// `npm run typegen` writes the types of every query that the service makes; with `--check`, it only says whether they
// are what it would write. In one process, as `sanity schema extract` and `sanity typegen generate` do in two.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = 'service/content/types.generated.ts'
const HEAD = '// Written by `npm run typegen` from the schema and the queries. Change those, not this.\n\n'

/** The types, as text: the same for the same schema and queries, wherever it is made. */
export async function generateTypes(
  pattern = `${ROOT.split(sep).join('/')}service/**/!(*.generated).ts`,
): Promise<string> {
  const {queries} = findQueriesInPath({path: pattern})
  const problems: string[] = []
  const collected = []
  for await (const module of queries) {
    problems.push(...module.errors.map((error) => error.message))
    // The generator leaves out what does not parse, and only tells a reporter.
    for (const {query, variable} of module.queries) {
      const problem = findSyntaxError(query)
      if (problem !== undefined) problems.push(`${module.filename}: ${variable.id.name}: ${problem}`)
    }
    collected.push({...module, filename: relative(ROOT, module.filename).split(sep).join('/')})
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const {code} = await new TypeGenerator().generateTypes({
    schema: extractOurTypes(),
    queries: iterate(collected),
    root: ROOT,
  })
  return `${HEAD}${code.trimEnd()}\n`
}

function findSyntaxError(query: string): string | undefined {
  try {
    safeParseQuery(query)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Without Studio's own types, of which no query of ours asks anything. Drafts miss what is required, so all may be. */
function extractOurTypes() {
  const builtin = new Set<string>(builtinTypes.map(({name}) => name))
  return extractSchema(compileSchema(), {enforceRequiredFields: false}).filter(({name}) => !builtin.has(name))
}

async function* iterate<T>(values: T[]): AsyncIterable<T> {
  yield* values
}

async function main(): Promise<void> {
  const code = await generateTypes()
  const target = `${ROOT}${TARGET}`
  if (!process.argv.includes('--check')) return writeFile(target, code)
  const written = await readFile(target, 'utf8').catch(() => '')
  if (written === code) return
  process.stderr.write(`${TARGET} is stale: run "npm run typegen" and commit it.\n`)
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
