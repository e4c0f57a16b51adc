import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {cp, mkdir, readFile, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {checkFiles, git, readImages, readVersion} from '../../release/plan.ts'
import {arePublished, namePublished} from '../../release/published.ts'
import {release} from '../../release/release.ts'
import {readStages} from '../deploy/support/dockerfile.ts'
import {temporaryFolder} from '../lake/support/git.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = [
  'package.json',
  'package-lock.json',
  'studio/package.json',
  'deploy/compose.yaml',
  'deploy/kubernetes/base/Chart.yaml',
  'deploy/kubernetes/base/kustomization.yaml',
  'deploy/kubernetes/base/values.yaml',
  'deploy/kubernetes/restore.yaml',
  '.github/workflows/release.yml',
]

/** A clone of a repository with the files that a release reads, whose changelog has a section of the version. */
async function cloneToRelease(t: TestContext) {
  const folder = await temporaryFolder(t)
  const [origin, root] = [join(folder, 'origin.git'), join(folder, 'clone')]
  for (const file of FILES) {
    await mkdir(dirname(join(root, file)), {recursive: true})
    await cp(join(ROOT, file), join(root, file))
  }
  const version = await readVersion(root)
  const writeChangelog = (unreleased: string) =>
    writeFile(
      join(root, 'CHANGELOG.md'),
      `# Changelog\n\n## Unreleased\n\n${unreleased}## ${version}\n\n- Tools have\n  tests ([how](docs/tool-tests.md)).\n\n## 0.1.0\n\n- The first.\n`,
    )
  await writeChangelog('')
  // One shell starts the commands: that costs less than a process for each.
  const setUp = `git init --quiet --bare --initial-branch=main "$0/origin.git" && cd "$0/clone" &&
    git init --quiet --initial-branch=main && git remote add origin ../origin.git &&
    git config user.name Ada && git config user.email ada@example.com && git add --all &&
    git commit --quiet --message 'Prepare the release' && git push --quiet origin main`
  await promisify(execFile)('sh', ['-c', setUp, folder])
  const run = async (args: string[], confirm?: (question: string) => Promise<boolean>) => {
    const printed: string[] = []
    const code = await release(args, {root, print: (text) => printed.push(text), confirm})
    return {code, output: printed.join('\n')}
  }
  const tagsAtOrigin = () => git(origin, 'tag', '--list')
  return {root, version, writeChangelog, run, tagsAtOrigin}
}

test('all files of the project name one version, which the changelog has', async () => {
  const version = await readVersion(ROOT)
  const checks = await checkFiles(ROOT, version)
  const failed = checks.filter(({name, problem}) => problem !== undefined && !name.includes('Unreleased'))
  assert.deepEqual(failed, [])
})

test('the workflow publishes an image for each stage of the Dockerfile that has a command', async () => {
  const stages = [...(await readStages())].filter(([, {command}]) => command.length > 0)
  assert.deepEqual(
    await readImages(ROOT),
    stages.map(([name]) => `handrail-${name}`),
  )
})

test('a dry run shows what is published, with the notes; after a yes, or with --yes, the tag is pushed, once', async (t) => {
  const {version, run, tagsAtOrigin} = await cloneToRelease(t)
  const dry = await run(['--dry-run'])
  assert.equal(dry.code, 0)
  assert.doesNotMatch(dry.output, /FAILED|The first/)
  for (const text of [`the tag v${version} at`, `handrail-service:${version}, handrail-lake:${version}`])
    assert.ok(dry.output.includes(text), dry.output)
  assert.match(dry.output, /^- Tools have tests \(\[how\]\(docs\/tool-tests\.md\)\)\.$/m)

  assert.equal((await run([])).code, 1, 'without a terminal')
  assert.equal((await run([], async () => false)).code, 1)
  assert.equal(await tagsAtOrigin(), '')
  const questions: string[] = []
  const yes = async (question: string) => questions.push(question) > 0
  assert.equal((await run([], yes)).code, 0)
  assert.deepEqual(questions, [`Create and push the tag v${version}?`])
  assert.equal(await tagsAtOrigin(), `v${version}`)
  const again = await run(['--yes'])
  assert.equal(again.code, 1)
  assert.match(again.output, /FAILED {2}the tag v\S+ is new: released versions never change/)
})

test('a release is refused with each reason and what to do', async (t) => {
  const {root, version, writeChangelog, run, tagsAtOrigin} = await cloneToRelease(t)
  await writeChangelog('- Something new.\n\n')
  const changed = ['studio/package.json', 'deploy/compose.yaml', 'deploy/kubernetes/base/kustomization.yaml']
  const texts = await Promise.all(changed.map((file) => readFile(join(root, file), 'utf8')))
  for (const [index, file] of changed.entries())
    await writeFile(join(root, file), texts[index]?.replace(version, '0.0.9') ?? '')
  const failures = async () => {
    const {code, output} = await run(['--yes'])
    assert.equal(code, 1)
    return Array.from(output.matchAll(/^ {2}FAILED {2}(.+)$/gm), ([, line]) => line)
  }
  assert.deepEqual(await failures(), [
    `every file names the version ${version}: set the version ${version} in ${changed.join(', ')}`,
    `CHANGELOG.md has an empty section "Unreleased": move what is under the heading "## Unreleased" to "## ${version}"`,
    'nothing is uncommitted: commit, or remove:',
  ])
  assert.equal(await tagsAtOrigin(), '')

  for (const [index, file] of changed.entries()) await writeFile(join(root, file), texts[index] ?? '')
  await writeChangelog('')
  await git(root, 'commit', '--quiet', '--allow-empty', '--message', 'Change nothing')
  assert.deepEqual(await failures(), [
    'this commit is the newest of main at origin: pull, push, and wait for CI',
  ])
  await git(root, 'remote', 'set-url', 'origin', join(root, 'nothing.git'))
  const [unreachable] = await failures()
  assert.match(unreachable ?? '', /^origin can be reached: /)
})

test('the notes for the workflow have links that work elsewhere, and none are printed if files disagree', async (t) => {
  const {root, run} = await cloneToRelease(t)
  const args = ['--notes', 'https://git.example/handrail/blob/v1/']
  assert.deepEqual(await run(args), {
    code: 0,
    output: '- Tools have tests ([how](https://git.example/handrail/blob/v1/docs/tool-tests.md)).',
  })
  await writeFile(join(root, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n')
  assert.equal((await run(args)).code, 1)
})

test('one switch names packages of npm in every document and recipe, once they are there', async (t) => {
  const root = await temporaryFolder(t)
  for (const folder of ['README.md', 'docs', 'deploy', 'examples/shop/content'])
    await cp(join(ROOT, folder), join(root, folder), {recursive: true})
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  await namePublished(root)
  assert.ok(arePublished(read))
  assert.match(read('README.md'), /`npm install --global handrail`/)
  assert.match(read('deploy/ci/gitlab.yml'), /"\$\{HANDRAIL_PACKAGE:-@handrail\/content@\d[\d.]+\}"/)
  await writeFile(join(root, 'README.md'), readFileSync(join(ROOT, 'README.md')))
  if (!arePublished((file) => readFileSync(join(ROOT, file), 'utf8')))
    assert.throws(
      () => arePublished(read),
      /Some documents and recipes name packages of npm, and some tarballs/,
    )
})
