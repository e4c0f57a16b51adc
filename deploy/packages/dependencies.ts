import {existsSync, readFileSync} from 'node:fs'
import {cp} from 'node:fs/promises'
import {join} from 'node:path'
import {ROOT} from './parts.ts'

/** Copies what a package depends on, with all that this depends on, so that npm installs its tarball without a registry. */
export async function copyDependencies(output: string): Promise<void> {
  const names = new Set(dependenciesOf(output))
  // The loop reaches names that it adds.
  for (const name of names) {
    const folder = join(ROOT, 'node_modules', name)
    await cp(folder, join(output, 'node_modules', name), {recursive: true})
    for (const needed of dependenciesOf(folder))
      if (!existsSync(join(folder, 'node_modules', needed))) names.add(needed)
  }
}

function dependenciesOf(folder: string): string[] {
  const {dependencies = {}}: {dependencies?: object} = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  return Object.keys(dependencies)
}
