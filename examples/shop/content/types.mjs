// Writes types for the scripts in tool/*.js, made from the input schemas next to them:
//
//   node types.mjs                                    before you work on scripts, and after you change a schema
//   npx --package typescript tsc --project .types     checks each script with the arguments of its own tool
//
// A script is the body of an async function, so TypeScript cannot check the file itself. It checks a copy with
// the function around it: line n of a script is line n + 1 of the copy. In tool/*.js, an editor such as VS Code
// completes `args` with the parameters of all tools, and `signal`.

import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'

const FOLDER = '.types'

const PRIMITIVES = {string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null'}

/** The TypeScript type of what a JSON Schema accepts. */
function typeOf(schema) {
  if (typeof schema !== 'object' || schema === null) return 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return union(choices.map(typeOf))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({...schema, type})))
  if (schema.type === 'array') return `Array<${typeOf(schema.items)}>`
  if (schema.type === 'object') return objectOf(schema)
  return PRIMITIVES[schema.type] ?? 'unknown'
}

function union(types) {
  return types.length === 0 ? 'unknown' : [...new Set(types)].join(' | ')
}

function objectOf({properties = {}, required = []}) {
  const members = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(property?.description)}${JSON.stringify(name)}${mark}: ${typeOf(property)}\n`
  })
  return `{\n${members.join('')}}`
}

function comment(text) {
  return typeof text === 'string' ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : ''
}

rmSync(FOLDER, {recursive: true, force: true})
mkdirSync(FOLDER)
writeFileSync(`${FOLDER}/.gitignore`, '*\n')
const all = {}
for (const name of readdirSync('tool').sort()) {
  if (!name.endsWith('.js')) continue
  const id = name.slice(0, -'.js'.length)
  const schema = JSON.parse(readFileSync(`tool/${id}.schema.json`, 'utf8'))
  for (const [parameter, property] of Object.entries(schema.properties ?? {})) {
    all[parameter] = {anyOf: [...(all[parameter]?.anyOf ?? []), property], description: property?.description}
  }
  writeFileSync(`${FOLDER}/${id}.args.d.ts`, `export type Args = ${typeOf(schema)}\n`)
  const head = `/** @type {(args: import('./${id}.args').Args, client: {signal: AbortSignal}) => Promise<unknown>} */`
  const script = readFileSync(`tool/${name}`, 'utf8')
  writeFileSync(`${FOLDER}/${id}.js`, `${head} export const run = async (args, {signal}) => {\n${script}}\n`)
}
const args = objectOf({properties: all})
writeFileSync(`${FOLDER}/editor.d.ts`, `declare const args: ${args}\ndeclare const signal: AbortSignal\n`)
const compilerOptions = {checkJs: true, strict: true, useUnknownInCatchVariables: false}
const config = {extends: '../jsconfig.json', compilerOptions, include: ['*.js']}
writeFileSync(`${FOLDER}/tsconfig.json`, `${JSON.stringify(config, null, 2)}\n`)
