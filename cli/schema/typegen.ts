import {readFile, writeFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {readingModule} from '../../actions/code/reading.ts'
import {requestModule} from '../../actions/code/request.ts'
import {schemaTypes} from '../../schemas/index.ts'
import {jsonSchemas} from '../../schemas/jsonSchemas.ts'

// `npm run typegen` writes the generated files: what scripts of readings and requests are made of, the titles of fields, and what
// explains content repositories (`npm run content -- schema examples/shop/content` then writes that of the demo shop). With `--check`
// it only reports files that are out of date.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const headOfCode = (source: string) =>
  `// Written by \`npm run typegen\` from actions/code/${source}. Change that, not this.\n// @ts-nocheck\n\n`
const HEAD = '// Written by `npm run typegen` from the schema. Change that, not this.\n\n'

/** The titles of fields, by their names, of each type. */
function fieldTitles() {
  const titlesOf = (fields: readonly {name: string; title?: string}[]) =>
    Object.fromEntries(fields.map(({name, title}) => [name, title]))
  return Object.fromEntries(schemaTypes.map(({name, fields}) => [name, titlesOf(fields)]))
}

async function main(): Promise<void> {
  const files = [
    {
      target: 'panel/making/reading.generated.ts',
      code: `${headOfCode('reading.ts')}${readingModule()}`,
    },
    {
      target: 'making/request.generated.ts',
      code: `${headOfCode('request.ts')}${requestModule()}`,
    },
    {
      target: 'advice/diagnosis/titles.generated.ts',
      code: `${HEAD}export const FIELD_TITLES: {readonly [type: string]: {readonly [field: string]: string}} = ${JSON.stringify(fieldTitles())}\n`,
    },
    {
      target: 'cli/schema/schemas.generated.ts',
      code: `${HEAD}export const JSON_SCHEMAS = ${JSON.stringify(jsonSchemas())} as const

export const AGENTS_FILE = ${JSON.stringify(await readFile(`${ROOT}examples/shop/content/AGENTS.md`, 'utf8'))}\n`,
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
