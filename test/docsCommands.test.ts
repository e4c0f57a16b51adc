import assert from 'node:assert/strict'
import {globSync, readFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {isJsonObject} from '../common/json.ts'
import {arePublished} from '../release/published.ts'
import {commandsOf} from './support/docs/commands.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The pages that people follow step by step. */
const PAGES = ['README.md', 'docs/getting-started.md', 'docs/configuration.md', 'docs/content-ci.md']

/** The file that executes a command, and a text of this file, or why none can. */
type Execution = readonly [file: string, text: string] | {readonly not: string}

/** What executes each command of these pages. */
const EXECUTIONS: Readonly<Record<string, Execution>> = {
  'npm ci': ['.ci/run', 'npm ci'],
  'npm start': ['test/start.system.test.ts', 'npm start: an empty folder becomes the demo shop'],
  'npm run service': ['test/start.system.test.ts', "'service/main.ts'"],
  'npm run build -w studio': ['test/studio/hosted.browser.test.ts', "'docs/sanity.md'"],
  'export REGISTRY=ghcr.io/OWNER': {not: 'it needs a registry'},
  'docker compose -f deploy/compose.yaml up': {not: 'it needs Docker'},
  'kubectl create namespace handrail': {not: 'it needs a cluster'},
  'kubectl apply -k deploy/kubernetes/base': {not: 'it needs a cluster'},
  'mkdir my-page && cd my-page': {not: 'it changes the folder of a shell'},
  'npx http-server -p 8080 -a 127.0.0.1 -c-1': {not: 'it downloads a package'},
  'npm install --global ./handrail-0.2.0.tgz': ['test/deploy/packages/support.ts', "'npm', ['install'"],
  'npm install --global ./handrail-content-0.2.0.tgz': [
    'test/deploy/packages/support.ts',
    "'npm', ['install'",
  ],
  'handrail-content check': ['test/deploy/packages/content.system.test.ts', "['check']"],
  'handrail lake': ['test/deploy/packages/handrail.system.test.ts', "['lake', 'editor', 'add'"],
  'npm ci && npm test': {not: 'it runs these tests'},
  'npm run pack': ['test/deploy/packages/content.system.test.ts', 'packContent('],
  'npm run lake --': ['test/lake/commands/accounts.test.ts', "'editor', 'list'"],
  'npm run lake -- editor link': ['test/lake/commands/accounts.test.ts', "'editor', 'link'"],
  'npm install --prefix /opt/handrail ./handrail-content-0.2.0.tgz': [
    'test/deploy/packages/support.ts',
    "['install', '--prefix'",
  ],
  'cp deploy/ci/pre-receive /srv/content.git/hooks/': [
    'test/deploy/ci/hooks.system.test.ts',
    "'pre-receive'",
  ],
  'cp deploy/ci/pre-commit ~/content/.git/hooks/': ['test/deploy/ci/hooks.system.test.ts', "'pre-commit'"],
  'git -C /srv/content.git config handrail.program "$PWD/cli/content.mjs"': [
    'test/deploy/ci/hooks.system.test.ts',
    "'handrail.program'",
  ],
  'git -C ~/content config handrail.program "$PWD/cli/content.mjs"': [
    'test/deploy/ci/hooks.system.test.ts',
    "'handrail.program'",
  ],
}

test('each command of the pages that people follow is executed by a test, or it is known why none can', () => {
  const commands = PAGES.flatMap((page) => commandsOf(read(page))).flatMap((line) =>
    line === 'npm ci && npm start' ? line.split(' && ') : [line],
  )
  assert.deepEqual([...new Set(commands)].sort(), Object.keys(EXECUTIONS).sort())
})

test('the tests that execute commands of the documentation exist', () => {
  for (const [command, execution] of Object.entries(EXECUTIONS)) {
    if ('not' in execution) assert.notEqual(execution.not, '')
    else assert.ok(read(execution[0]).includes(execution[1]), `${command}: ${execution[0]}`)
  }
})

test('every script that a page or a manifest runs with npm is in package.json', () => {
  const {scripts}: {scripts?: unknown} = JSON.parse(read('package.json'))
  assert.ok(isJsonObject(scripts))
  const {scripts: ofStudio}: {scripts?: unknown} = JSON.parse(read('studio/package.json'))
  assert.ok(isJsonObject(ofStudio))
  for (const page of [...PAGES, 'CONTRIBUTING.md', 'docs/release.md', 'docs/runbook.md', 'docs/sanity.md'])
    for (const [, name = '', workspace] of read(page).matchAll(/\bnpm run ([\w:]+)( -w studio)?/g))
      assert.ok(name in (workspace === undefined ? scripts : ofStudio), `${page}: npm run ${name}`)
})

test('no document or recipe installs or runs a package of ours from a registry before it is there', () => {
  const texts = globSync('{*.md,docs/**/*.md,deploy/**/*,examples/**/*.md,cli/**/*.{ts,mjs},.github/**/*}', {
    cwd: ROOT,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  assert.ok(texts.length > 90)
  const NAMED =
    /\b(?:npx|npm (?:i|install|exec|create)|(?:pnpm|yarn) dlx|bunx)\b[^\n`]*?[ "':-](?:@handrail\/\w+|handrail(?:-\w+)?)(?=[\s"'`@}]|$)/gm
  const named = texts.flatMap((file) =>
    Array.from(read(file).matchAll(NAMED), ([line]) => `${file}: ${line}`),
  )
  assert.equal(named.length > 0, arePublished(read), named.join('\n'))
})

function read(file: string): string {
  return readFileSync(`${ROOT}${file}`, 'utf8')
}
