import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'acorn'

// The baseline of a check: reads and parses each file of a repository, in one thread, and looks at nothing.
const [folder = ''] = process.argv.slice(2)
for (const type of ['site', 'tool', 'formTool']) {
  for (const name of readdirSync(join(folder, type))) {
    const text = readFileSync(join(folder, type, name), 'utf8')
    if (name.endsWith('.json')) JSON.parse(text)
    else parse(`async () => {${text}}`, {sourceType: 'module', ecmaVersion: 'latest'})
  }
}
