import {readFile, writeFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {readingModule} from '../../actions/code/reading.ts'
import {requestModule} from '../../actions/code/request.ts'

// `npm run typegen` writes the generated files: what scripts of readings and requests are made of, and what explains content
// repositories to coding agents. With `--check` it only reports files that are out of date.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const headOfCode = (source: string) =>
  `// Written by \`npm run typegen\` from actions/code/${source}. Change that, not this.\n// @ts-nocheck\n\n`

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
      target: 'cli/schema/agentsFile.generated.ts',
      code: `// Written by \`npm run typegen\` from examples/shop/content/AGENTS.md. Change that, not this.\n\nexport const AGENTS_FILE = ${JSON.stringify(await readFile(`${ROOT}examples/shop/content/AGENTS.md`, 'utf8'))}\n`,
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
