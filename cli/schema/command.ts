import {parseArgs} from 'node:util'
import {errorCode} from '../../common/errorCode.ts'
import {GITIGNORE} from '../../git/gitignore.ts'
import {DECLARATIONS} from '../../schemas/index.ts'
import {jsonSchemaOf} from '../../schemas/jsonSchemas.ts'
import {assertWorkTree, writeInside} from '../changes.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {contentDirectory} from '../directory.ts'
import {AGENTS_FILE} from './agentsFile.generated.ts'

const HELP = `Usage: content schema [DIR]

Writes files that explain a content repository to people, editors and coding agents: AGENTS.md, JSON Schemas of the
documents under .schema, and .vscode/settings.json, which names them; and a .gitignore for passwords and sessions.
All but the schemas stay as they are if they exist. The lake does not read these files. Commit them.

  --help        print this help

Exit codes: 0 written; 2 wrong usage, or no work tree.
`

/** `content schema`. */
export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {positionals} = parseArgs({args: [...args], options: {}, allowPositionals: true})
  if (positionals.length > 1) throw new CommandError('There can be only one directory.')
  const directory = await contentDirectory(positionals[0], console)
  await assertWorkTree(directory, 'write to')
  for (const [path, text] of schemaFiles()) {
    // The other files may have been changed by their owners.
    const flag = path.startsWith('.schema/') ? 'w' : 'wx'
    const isWritten = await writeInside(directory, path, text, flag).then(
      () => true,
      (error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error
        return false
      },
    )
    console.out(isWritten ? `${path}\n` : `${path} stays as it is\n`)
  }
  return 0
}

/** The files by path. In hidden folders, none of them is a document. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const schemas = DECLARATIONS.map((declaration) => [declaration.name, jsonSchemaOf(declaration)] as const)
  const places = schemas.map(([name]) => ({
    // Texts such as tool/<_id>.schema.json are JSON Schemas themselves.
    fileMatch: [`/${name}/*.json`, `!/${name}/*.*.json`],
    url: `./.schema/${name}.json`,
  }))
  return new Map([
    ['AGENTS.md', AGENTS_FILE],
    ['.gitignore', GITIGNORE],
    ['.vscode/settings.json', `${JSON.stringify({'json.schemas': places})}\n`],
    ...schemas.map(([name, schema]) => [`.schema/${name}.json`, `${JSON.stringify(schema)}\n`] as const),
  ])
}
