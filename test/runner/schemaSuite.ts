import {existsSync, globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/** Where Debian's package libtest-json-schema-acceptance-perl keeps a copy of the suite. */
const OF_DEBIAN = '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance'

/** The folder of the JSON Schema Test Suite: that of `JSON_SCHEMA_TEST_SUITE`, such as a clone, or Debian's. */
export function findSchemaSuite(): string | undefined {
  const folders = [process.env.JSON_SCHEMA_TEST_SUITE, OF_DEBIAN]
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, DRAFT)))
}

const DRAFT = 'tests/draft2020-12'

/** Every schema of the suite for draft 2020-12, optional ones included, by where it is. */
export function schemasOfSuite(): Map<string, unknown> {
  const folder = findSchemaSuite()
  if (folder === undefined) throw new Error('The JSON Schema Test Suite is missing: see CONTRIBUTING.md.')
  const schemas = new Map<string, unknown>()
  for (const file of globSync('**/*.json', {cwd: join(folder, DRAFT)}).sort()) {
    const cases: {description: string; schema: unknown}[] = JSON.parse(
      readFileSync(join(folder, DRAFT, file), 'utf8'),
    )
    for (const {description, schema} of cases) schemas.set(`${file}: ${description}`, schema)
  }
  return schemas
}
