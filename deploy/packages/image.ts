import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {bundle} from './bundle.ts'
import {copyDependencies} from './dependencies.ts'

/** What the program of an image starts as a thread or a process, and folders that it reads. */
const IMAGES: Readonly<
  Record<string, {readonly programs: readonly string[]; readonly folders: readonly string[]}>
> = {
  service: {programs: ['service/site/readToolWorker.ts', 'service/preview/drafts/worker.ts'], folders: []},
  lake: {programs: ['git/launcher/program.ts'], folders: ['examples/shop/content']},
}

/** pino starts threads by the names of its files, and finds its printer by name. */
const OUTSIDE = ['pino', 'pino-pretty']

/**
 * Writes what an image runs, compiled: `node service/main.mjs`, or `node lake/main.mjs`, with the packages that stay outside.
 * @param name `service` or `lake`
 */
export async function writeImage(name: string, output: string): Promise<void> {
  const image = IMAGES[name]
  if (image === undefined)
    throw new Error(`"${name}" is not an image: choose from ${Object.keys(IMAGES).join(', ')}.`)
  const programs = [...image.programs, 'deploy/healthcheck.ts']
  await mkdir(output, {recursive: true})
  await bundle({...image, programs, entry: `${name}/main.ts`, output, folder: name, outside: OUTSIDE})
  const dependencies = Object.fromEntries(OUTSIDE.map((one) => [one, '*']))
  await writeFile(join(output, 'package.json'), JSON.stringify({type: 'module', dependencies}))
  await copyDependencies(output)
}

if (import.meta.main) {
  const [, , name = '', output = ''] = process.argv
  await writeImage(name, output)
}
