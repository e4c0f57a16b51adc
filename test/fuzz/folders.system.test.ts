import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'node:test'
import fc from 'fast-check'
import {content} from '../cli/support/run.ts'
import {temporaryFolder, temporaryWorkTree} from '../lake/support/git.ts'
import {IS_DEEP} from '../runner/runs.ts'
import {oddFolder, settings} from './generators/made/folders.ts'

/** A run takes about a third of a second. */
const RUNS = IS_DEEP ? 300 : 25

const COMMANDS = [
  ['check'],
  ['check', '--json', '--', 'content'],
  ['check', '--staged', '--', 'content'],
  ['check', '--', 'content/tool'],
  ['diff', 'HEAD~1', '--dir', 'content'],
  ['diff', 'HEAD~1', 'HEAD'],
  ['format', '--no-commit', '--', 'content'],
]

/** The annotations that the check itself writes for GitHub. */
const OWN = /^::(?:error|warning|notice) file=[^\n]*$/gm

// `SEED=…` replays a failure.
test('whatever a pull request adds, no command of its files runs, and none is printed for a CI system', async (t) => {
  const ran = join(await temporaryFolder(t), 'ran')
  const property = fc.asyncProperty(oddFolder, async ({tool, script, others, repositories}) => {
    const {directory, commit} = await temporaryWorkTree(t)
    const site = {_id: 'bank', _type: 'site', name: 'Bank', publicId: 'bank-0001-site', enabled: true}
    await commit({'content/site/bank.json': site, 'site/bank.json': site})
    const files: Record<string, unknown> = {'content/tool/pay.json': tool, 'content/tool/pay.js': script}
    for (const [name, text] of others) files[`content/tool/${name}`] = text
    for (const {place, isWhole, common, attributes} of repositories) {
      const at = place === '' ? '' : `${place}/`
      files[`${at}HEAD`] = 'ref: refs/heads/main\n'
      files[`${at}config`] = settings(ran)
      files[`${at}refs/.keep`] = ''
      if (isWhole) files[`${at}objects/.keep`] = ''
      if (common) files[`${at}commondir`] = '.\n'
      if (attributes) files[`${at}.gitattributes`] = '* filter=x\n'
    }
    await commit(files)
    for (const args of COMMANDS) {
      const isAction = args.length > 1 && !args.includes('--json')
      const environment = {...(isAction && {GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: directory})}
      const {code, out, error} = await content(args, directory, environment)
      assert.ok([0, 1, 2].includes(code))
      const printed = out.replace(OWN, '') + error
      assert.doesNotMatch(printed, /##[\w.-]*\[|^\s*::/m, args.join(' '))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would obey them
      assert.doesNotMatch(out + error, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
      for (const [annotation] of out.matchAll(OWN)) assert.doesNotMatch(annotation.slice(2), /^\s*::/)
    }
    assert.ok(!existsSync(ran), 'Git ran a command of the content')
  })
  const {SEED: seed} = process.env
  await fc.assert(property, {
    numRuns: RUNS,
    seed: seed === undefined ? 20_261_127 : Number(seed),
    endOnFailure: true,
  })
})
