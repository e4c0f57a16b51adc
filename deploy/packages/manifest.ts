import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {ROOT} from './parts.ts'

/** What a package says of itself. */
type Description = {
  readonly name: string
  readonly description: string
  /** The names of its commands, and their files. */
  readonly bin: Readonly<Record<string, string>>
  /** Its declaration file. */
  readonly types?: string
}

/**
 * The `package.json` of a package, with the project's version of each package that it needs. Those that the project has for
 * its development only are optional.
 * @throws Error if the project's `package.json` does not name a package
 */
export function manifestOf(description: Description, packages: Iterable<string>): object {
  const {version, license, dependencies, devDependencies} = projectManifest()
  const needed: Record<string, string> = {}
  const optional: Record<string, string> = {}
  for (const name of [...packages].sort()) {
    const [run, develop] = [dependencies[name], devDependencies[name]]
    if (run !== undefined) needed[name] = run
    else if (develop !== undefined) optional[name] = develop
    else throw new Error(`${description.name} imports ${name}, which package.json does not name.`)
  }
  const {name, ...rest} = description
  return {
    name,
    version,
    ...rest,
    license,
    type: 'module',
    // As in common/requireNode.mjs.
    engines: {node: '>=24'},
    dependencies: needed,
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((one) => [one, {optional: true}])),
  }
}

type ProjectManifest = {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

function projectManifest(): ProjectManifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}
