import {readFile, writeFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'

// `npm run typegen` writes the generated file, which explains content repositories to coding agents. With `--check` it only reports
// whether it is out of date.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

async function main(): Promise<void> {
  const files = [
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
