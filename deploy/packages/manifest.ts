import {readFileSync} from 'node:fs'
import {cp, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {ROOT} from './parts.ts'

/** What a package says of itself. */
type Description = {
  readonly name: string
  readonly description: string
  /** The names of its commands, and their files. */
  readonly bin?: Readonly<Record<string, string>>
  /** Its declaration file. */
  readonly types?: string
  /** Its modules, if they can be imported. */
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Writes the `package.json` of a package, with the project's version of each package that it needs, its license and its readme.
 * Packages that the project has for its development only are optional, in any later version, because other suites have them, too.
 * @throws Error if the project's `package.json` does not name a package
 */
export async function writeManifest(
  output: string,
  packages: readonly string[],
  description: Description,
  project = projectManifest(),
): Promise<void> {
  const {version, license, repository, dependencies, devDependencies} = project
  const needed: Record<string, string> = {}
  const optional: Record<string, string> = {}
  for (const name of packages) {
    const [run, develop] = [dependencies[name], devDependencies[name]]
    if (run !== undefined) needed[name] = run
    else if (develop !== undefined) optional[name] = `^${develop}`
    else throw new Error(`${description.name} needs ${name}, which package.json does not name.`)
  }
  // Without "engines": npm would warn in five lines of what the program says in one (common/requireNode.mjs).
  const manifest = {
    ...description,
    version,
    license,
    // The release workflow sets it. npm compares it with the provenance.
    ...(repository !== undefined && {repository}),
    type: 'module',
    dependencies: needed,
    // pack.ts copies them into the tarball, which npm installs without a registry.
    bundleDependencies: Object.keys(needed),
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((name) => [name, {optional: true}])),
  }
  await writeFile(join(output, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await cp(join(ROOT, 'LICENSE'), join(output, 'LICENSE'))
  const folder = description.name.replace('@handrail/', '')
  await cp(join(ROOT, 'deploy/packages', folder, 'README.md'), join(output, 'README.md'))
}

type ProjectManifest = {
  readonly version: string
  readonly license: string
  readonly repository?: string | undefined
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

function projectManifest(): ProjectManifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}
