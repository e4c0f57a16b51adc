import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {parseAllDocuments} from 'yaml'
import {recordOf} from '../../support/answers.ts'

/** A file of the project. */
export function projectFile(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/** Every document of a YAML file, parsed strictly. */
export async function readYaml(path: string): Promise<unknown[]> {
  return parseYaml(await readFile(projectFile(path), 'utf8'))
}

/** Every document of a YAML text, parsed strictly. */
export function parseYaml(text: string): unknown[] {
  return parseAllDocuments(text, {merge: true}).map((document) => {
    const [error] = [...document.errors, ...document.warnings]
    if (error) throw error
    return document.toJS()
  })
}

/**
 * The files of a `kustomization.yaml` as one text, with the images that it names.
 * @param read reads a file of the project; by default as it is now
 */
export async function readManifestsText(
  folder: string,
  read = (path: string) => readFile(projectFile(path), 'utf8'),
): Promise<string> {
  const [{resources, images} = {}] = parseYaml(await read(`${folder}/kustomization.yaml`)).map(recordOf)
  const files = listOf(resources).map((name) => read(`${folder}/${name}`))
  return listOf(images)
    .map(recordOf)
    .reduce(
      (text, {name, newName, newTag}) => text.replaceAll(`image: ${name} `, `image: ${newName}:${newTag} `),
      (await Promise.all(files)).join('---\n'),
    )
}

/** The resources that the files of a `kustomization.yaml` contain. */
export async function readManifests(folder: string): Promise<Record<string, unknown>[]> {
  return parseYaml(await readManifestsText(folder)).map(recordOf)
}

/** The members of a value and of everything nested in it. */
export function* membersIn(value: unknown): IterableIterator<[name: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [name, inner]
    yield* membersIn(inner)
  }
}

/** Asserts that a value is a list. */
export function listOf(value: unknown): unknown[] {
  assert.ok(Array.isArray(value))
  return value
}
