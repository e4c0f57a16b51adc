import {execFile} from 'node:child_process'
import {glob, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {parse} from 'yaml'

/** Milliseconds for one command of Git. */
const GIT_TIMEOUT = 60_000

/** Where the version is written. */
const VERSION_PLACES: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['package.json', /^ {2}"version": "(.+)"/gm],
  ['package-lock.json', /"name": "handrail(?:-studio)?",\s+"version": "(.+)"/g],
  ['studio/package.json', /^ {2}"version": "(.+)"/gm],
]

/** How manifests name our images and packages. */
const VERSION_IN_MANIFESTS = /(?:\bhandrail(?:-\w+|\/\w+)?[:@]|[tT]ag: |[vV]ersion: )(\d+\.\d+\.\d[\w.-]*)/g

/** A condition of a release, and what to do if it does not hold. */
export type Check = {readonly name: string; readonly problem: string | undefined}

/** Runs Git in a folder. @throws Error with Git's words */
export async function git(root: string, ...args: string[]): Promise<string> {
  const {stdout} = await promisify(execFile)('git', args, {cwd: root, timeout: GIT_TIMEOUT})
  return stdout.trimEnd()
}

/** The version of package.json. */
export async function readVersion(root: string): Promise<string> {
  const {version}: {version?: unknown} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  if (typeof version !== 'string') throw new Error('package.json has no version')
  return version
}

/** Checks what is in the files of a version: other files that name it, and the changelog. */
export async function checkFiles(root: string, version: string): Promise<Check[]> {
  const differing: string[] = []
  for (const [file, pattern] of VERSION_PLACES) {
    const found = await versionsIn(root, file, pattern)
    if (found.length === 0 || found.some((other) => other !== version)) differing.push(file)
  }
  for await (const file of glob('deploy/**/*.{yaml,yml}', {cwd: root})) {
    const found = await versionsIn(root, file, VERSION_IN_MANIFESTS)
    if (found.some((other) => other !== version)) differing.push(file)
  }
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const unreleased = sectionOf(changelog, 'Unreleased')
  return [
    check(
      `every file names the version ${version}`,
      differing.length > 0 && `set the version ${version} in ${differing.join(', ')}`,
    ),
    check(
      `CHANGELOG.md has a section for ${version}`,
      !sectionOf(changelog, version) && `add the heading "## ${version}" with what is new`,
    ),
    check(
      'CHANGELOG.md has an empty section "Unreleased"',
      unreleased !== '' && `move what is under the heading "## Unreleased" to "## ${version}"`,
    ),
  ]
}

/** Checks that a commit which all others have can be tagged. */
export async function checkRepository(root: string, tag: string): Promise<Check[]> {
  const changes = await git(root, 'status', '--porcelain')
  const [head, local] = [await git(root, 'rev-parse', 'HEAD'), await git(root, 'tag', '--list', tag)]
  const remote = await git(root, 'ls-remote', 'origin', 'refs/heads/main', `refs/tags/${tag}`).catch(
    (error: Error) => error,
  )
  const refs = remote instanceof Error ? '' : remote
  return [
    check('nothing is uncommitted', changes !== '' && `commit, or remove:\n${changes}`),
    check('origin can be reached', remote instanceof Error && remote.message.trim()),
    check(
      'this commit is the newest of main at origin',
      !refs.includes(`${head}\trefs/heads/main`) && 'pull, push, and wait for CI',
    ),
    check(
      `the tag ${tag} is new`,
      (local !== '' || refs.includes(`refs/tags/${tag}`)) &&
        'released versions never change: choose the next one',
    ),
  ]
}

/** What a version has in the changelog, as a web page of its own: with whole paragraphs, and links from `base`. */
export async function readNotes(root: string, version: string, base: string): Promise<string> {
  const section = sectionOf(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version) ?? ''
  return section.replaceAll(/\n {2,}(?=\S)/g, ' ').replaceAll(/\]\((?!https?:)/g, `](${base}`)
}

/** The images that the workflow publishes. */
export async function readImages(root: string): Promise<string[]> {
  const workflow: unknown = parse(await readFile(join(root, '.github/workflows/release.yml'), 'utf8'))
  const found = ['jobs', 'images', 'strategy', 'matrix', 'target'].reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    workflow,
  )
  return Array.isArray(found) ? found.map((target) => `handrail-${target}`) : []
}

async function versionsIn(root: string, file: string, pattern: RegExp): Promise<string[]> {
  const text = await readFile(join(root, file), 'utf8')
  return Array.from(text.matchAll(pattern), ([, version = '']) => version)
}

/** The text below a heading of the changelog. Undefined without the heading. */
function sectionOf(changelog: string, title: string): string | undefined {
  const section = changelog.split(/^## /m).find((part) => part.split('\n', 1)[0] === title)
  return section?.slice(title.length).trim()
}

function check(name: string, problem: string | false): Check {
  return {name, problem: problem === false ? undefined : problem}
}
