import assert from 'node:assert/strict'
import {globSync, readFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {before, describe, test} from 'node:test'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {build} from 'esbuild'
import {listOf, membersIn, readYaml} from '../deploy/support/files.ts'
import {recordOf} from '../support/answers.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WORKFLOWS = globSync('.github/workflows/*.yml', {cwd: ROOT}).sort()

/** GitHub's own parser. It imports JSON as bundlers do, not as Node does. */
async function loadParser(): Promise<typeof import('@actions/workflow-parser')> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-parser-'))
  try {
    const outfile = join(folder, 'parser.mjs')
    const contents = `export * from '@actions/workflow-parser'`
    await build({stdin: {contents, resolveDir: ROOT}, bundle: true, format: 'esm', outfile})
    return await import(pathToFileURL(outfile).href)
  } finally {
    await rm(folder, {recursive: true})
  }
}

/** All steps of a workflow, with its jobs by name. */
async function readWorkflow(path: string) {
  const [workflow] = await readYaml(path)
  const jobs = Object.entries(recordOf(recordOf(workflow).jobs)).map(
    ([name, job]) => [name, recordOf(job)] as const,
  )
  const steps = jobs.flatMap(([, job]) => listOf(job.steps).map(recordOf))
  return {workflow: recordOf(workflow), jobs: new Map(jobs), steps}
}

describe('GitHub workflows', () => {
  let parser: Awaited<ReturnType<typeof loadParser>>
  before(async () => {
    parser = await loadParser()
  })

  /** The mistakes that GitHub would report, such as an unknown key, or a condition that cannot be read. */
  async function mistakesIn(name: string, content: string): Promise<string[]> {
    const {context, value} = parser.parseWorkflow({name, content}, new parser.NoOperationTraceWriter())
    if (value !== undefined) await parser.convertWorkflowTemplate(context, value)
    return context.errors.getErrors().map(({message}) => message)
  }

  for (const path of WORKFLOWS)
    test(`${basename(path)} has no mistake that GitHub's parser finds`, async () => {
      assert.deepEqual(await mistakesIn(path, readFileSync(`${ROOT}${path}`, 'utf8')), [])
    })

  test('the parser finds a misspelled key, an unknown job and a wrong expression', async () => {
    const ci = readFileSync(`${ROOT}.github/workflows/ci.yml`, 'utf8')
    for (const [before, after] of [
      ['timeout-minutes', 'timeout-minute'],
      ['runs-on: ubuntu-latest', 'needs: nothing\n    runs-on: ubuntu-latest'],
      ['matrix.node }}', 'matrix.node ]}}'],
    ] as const)
      assert.notDeepEqual(await mistakesIn('ci.yml', ci.replace(before, after)), [], after)
  })

  test('run only scripts that package.json has', async () => {
    const {scripts} = recordOf(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')))
    for (const path of WORKFLOWS) {
      const {steps} = await readWorkflow(path)
      const used = steps.flatMap(({run = ''}) =>
        Array.from(
          String(run).matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(test)\b)/g),
          ([, name, test]) => name ?? test,
        ),
      )
      for (const name of used) assert.ok(String(name) in recordOf(scripts), `${path}: ${name}`)
    }
  })

  test('can only read by default, end, and use actions of one commit each, whose version is named', async () => {
    const versions = new Map<string, string>()
    for (const path of WORKFLOWS) {
      const {workflow, jobs, steps} = await readWorkflow(path)
      assert.deepEqual(workflow.permissions, {contents: 'read'}, path)
      for (const [name, job] of jobs) assert.ok(Number(job['timeout-minutes']) > 0, `${path}: ${name}`)
      const lines = readFileSync(`${ROOT}${path}`, 'utf8').match(/\buses: .*/g) ?? []
      for (const line of lines) assert.match(line, /@[\da-f]{40} # v\d+\.\d+\.\d+$/, path)
      for (const {uses} of steps) {
        if (uses === undefined) continue
        const [action = '', version = ''] = String(uses).split('@')
        assert.match(version, /^[\da-f]{40}$/, `${path}: ${uses}`)
        assert.equal(version, versions.get(action) ?? version, `${path}: ${action}`)
        versions.set(action, version)
      }
    }
  })

  test('never put what a stranger can choose into a script', async () => {
    for (const path of WORKFLOWS)
      for (const {run = ''} of (await readWorkflow(path)).steps)
        assert.doesNotMatch(String(run), /\$\{\{/, `${path}: use a variable`)
  })

  test('check, test and system of CI do what .ci/run does', async () => {
    const {jobs} = await readWorkflow('.github/workflows/ci.yml')
    const commands = [...jobs.values()].flatMap(({steps}) =>
      listOf(steps).map((step) => String(recordOf(step).run)),
    )
    const local = readFileSync(`${ROOT}.ci/run`, 'utf8').match(/^npm [\w :]*\w/gm)
    assert.deepEqual(local, ['npm ci', 'npm run check', 'npm run test:all'])
    for (const command of ['npm ci', 'npm run check', 'npm test', 'npm run test:system'])
      assert.ok(commands.includes(command), command)
  })
})

test('CI installs and tests on the lowest Node that package.json allows, and on the Node of .nvmrc', async () => {
  const {engines, dependencies} = recordOf(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')))
  const {jobs} = await readWorkflow('.github/workflows/ci.yml')
  const nodes = listOf(recordOf(recordOf(jobs.get('test')?.strategy).matrix).node).map(String)
  const own = readFileSync(`${ROOT}.nvmrc`, 'utf8').trim()
  const [, lowest = ''] = /^>=(\d+\.\d+)$/.exec(String(recordOf(engines).node)) ?? []
  assert.deepEqual(nodes, [`${lowest}.0`, own])
  assert.equal(own, recordOf(dependencies).node)
})

test('issue forms have what GitHub requires, and ask for version and state', async () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', {cwd: ROOT}).filter(
    (path) => basename(path) !== 'config.yml',
  )
  assert.equal(forms.length, 2)
  for (const path of forms) {
    const [form] = (await readYaml(path)).map(recordOf)
    assert.ok(form?.name && form.description, path)
    const fields = listOf(form.body).map(recordOf)
    const ids = fields.filter(({type}) => type !== 'markdown').map(({id}) => String(id))
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.includes('version'), path)
    for (const {type, attributes} of fields) {
      assert.match(String(type), /^(markdown|input|textarea|dropdown)$/)
      assert.ok(recordOf(attributes)[type === 'markdown' ? 'value' : 'label'], path)
      if (type === 'dropdown') assert.ok(listOf(recordOf(attributes).options).length > 1)
    }
    const texts = [...membersIn(fields)].map(([, value]) => String(value)).join('\n')
    assert.match(texts, /\/readyz|handrail\.sites/)
  }
})
