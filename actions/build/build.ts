import {writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {type FunctionDeclaration, type Options, parse} from 'acorn'
import {buildSync} from 'esbuild'
import {analyze} from 'eslint-scope'
import type {Library, Piece} from '../library.ts'

const ALL = fileURLToPath(new URL('../run/all.ts', import.meta.url))

/** Members that only these functions have, and neither a plan nor a page: they get short names. */
const OWN =
  /^(?:ended|fail|column|said|result|none|refuses|named|addQuery|asked|across|rowsOf|own|row|sent|filledIn|findAll|valueIn|checkDates|ledTo|remedy|unsure|readMore|grow)$/

const MODULE = {sourceType: 'module', ecmaVersion: 'latest', ranges: true} satisfies Options

/**
 * Bundles the functions that actions run, and takes the bundle apart. The same sources give the same texts.
 * @param isReadable whether people read them: longer, with the names of the sources
 */
export function buildLibrary({isReadable = false}: {readonly isReadable?: boolean} = {}): Library {
  // `build` would leave a process of esbuild that runs as long as this one.
  const {outputFiles, mangleCache = {}} = buildSync({
    entryPoints: [ALL],
    bundle: true,
    format: 'esm',
    // Browsers with WebMCP are newer.
    target: 'es2024',
    minify: !isReadable,
    ...(!isReadable && {mangleProps: OWN, mangleCache: {}}),
    tsconfigRaw: {},
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  })
  const bundle = outputFiles.map(({text}) => text).join('')
  return isReadable ? apart(bundle) : {...apart(bundle, true), members: mangleCache}
}

/** @param isShort whether all functions are values of one declaration, which is shorter */
function apart(bundle: string, isShort = false): Library {
  let source = bundle
  const program = parse(bundle, {
    ...MODULE,
    onToken: ({start, end, type}) => {
      const inner = bundle.slice(start + 1, end - 1)
      // In a config, which is JSON, double quotes have two characters.
      if (isShort && type.label === 'string' && !/['\\]/.test(inner))
        source = `${source.slice(0, start)}'${inner}'${source.slice(end)}`
    },
  })
  // acorn and eslint-scope declare the same trees with different types.
  const tree: object = program
  const [, module] = analyze(Object(tree), {ecmaVersion: 2022, sourceType: 'module'}).scopes
  const declared = program.body.flatMap((statement) =>
    statement.type === 'VariableDeclaration'
      ? statement.declarations.map(({start, end: until, id}) => {
          const text = source.slice(start, until)
          return {start, until, id, text: isShort ? text : `var ${text};\n`}
        })
      : statement.type === 'FunctionDeclaration'
        ? [
            {
              start: statement.start,
              until: statement.end,
              id: statement.id,
              text: isShort
                ? arrowOf(statement, source)
                : `${source.slice(statement.start, statement.end)}\n`,
            },
          ]
        : [],
  )
  const positions = new Map(declared.map(({id}, at) => [id.type === 'Identifier' ? id.name : '', at]))
  const needs = declared.map(() => new Set<number>())
  for (const {name, references} of module?.variables ?? [])
    for (const {identifier} of references) {
      const from = Number(identifier.range?.[0])
      const at = declared.findIndex(({start, until}) => from >= start && from < until)
      const needed = positions.get(name)
      if (needed !== undefined && needed !== at) needs[at]?.add(needed)
    }
  const pieces = declared.map(({text}, at): Piece => ({text, needs: [...(needs[at] ?? [])]}))
  const exported = program.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' ? statement.specifiers : [],
  )
  const names = exported.flatMap(({local, exported: outer}) =>
    local.type === 'Identifier' && outer.type === 'Identifier'
      ? [[outer.name, {name: local.name, at: positions.get(local.name) ?? -1}] as const]
      : [],
  )
  return {pieces, isShort, members: {}, names: Object.fromEntries(names)}
}

/** A function as `name=(parameters)=>body`. */
function arrowOf({id, async, params, body}: FunctionDeclaration, bundle: string): string {
  const textOf = ({start, end}: {start: number; end: number}) => bundle.slice(start, end)
  const [only, another] = params
  const isOne = only?.type === 'Identifier' && another === undefined
  const parameters = params.map(textOf).join()
  const [first] = body.body
  const value = first?.type === 'ReturnStatement' ? first.argument : undefined
  const isObject = value?.type === 'ObjectExpression' || value?.type === 'SequenceExpression'
  const result = value ? (isObject ? `(${textOf(value)})` : textOf(value)) : textOf(body)
  return `${id.name}=${async ? 'async' : ''}${isOne ? `${async ? ' ' : ''}${parameters}` : `(${parameters})`}=>${result}`
}

// Images have what this makes in place of the packages that make it.
if (import.meta.main) {
  const [, , file] = process.argv
  if (file === undefined) throw new Error('Usage: node actions/build/build.ts FILE')
  writeFileSync(file, JSON.stringify(buildLibrary()))
}
