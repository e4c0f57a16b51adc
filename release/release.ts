import {parseArgs} from 'node:util'
import {type Check, checkFiles, checkRepository, git, readImages, readNotes, readVersion} from './plan.ts'
import {namePublished} from './published.ts'

const USAGE = `Usage: npm run release -- [options]

  --dry-run     show what would happen, and change nothing
  --yes         create and push the tag without a question
  --notes BASE  print what is new as Markdown, with links from the address BASE
  --published   write the names of npm's packages into documents and recipes, once they are yours
  --help        print this`

/** What a release needs from where it runs. */
type Surroundings = {
  /** The clone that is released. */
  readonly root: string
  readonly print: (text: string) => void
  /** Asks a question. Undefined if there is no terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}

/**
 * Tags the version of a clone, and pushes the tag. The workflow `release.yml` publishes it.
 * @returns the exit code: 1 if a check fails or the answer was no
 */
export async function release(
  args: readonly string[],
  {root, print, confirm}: Surroundings,
): Promise<number> {
  const {values} = parseArgs({
    args: [...args],
    options: {
      'dry-run': {type: 'boolean', default: false},
      yes: {type: 'boolean', default: false},
      notes: {type: 'string'},
      published: {type: 'boolean', default: false},
      help: {type: 'boolean', default: false},
    },
  })
  if (values.help) {
    print(USAGE)
    return 0
  }
  if (values.published) {
    await namePublished(root)
    print('Every document and recipe installs the packages from npm. Run "npm run typegen", and commit.')
    return 0
  }
  const version = await readVersion(root)
  const tag = `v${version}`
  const files = await checkFiles(root, version)
  if (values.notes !== undefined) {
    const failed = files.filter(({problem}) => problem !== undefined)
    print(failed.length === 0 ? await readNotes(root, version, values.notes) : listOf(failed))
    return failed.length === 0 ? 0 : 1
  }

  const checks = [...files, ...(await checkRepository(root, tag))]
  print(`Handrail ${version}\n\n${listOf(checks)}\n`)
  print(
    [
      `Creates the tag ${tag} at ${await git(root, 'rev-parse', '--short', 'HEAD')}, and pushes it to origin.`,
      'The workflow release.yml then publishes:',
      `- images: ${(await readImages(root)).map((image) => `${image}:${version}`).join(', ')}`,
      `- packages of npm: handrail, @handrail/content and @handrail/server, ${version}`,
      '- a release with the packages and these notes:',
      '',
      await readNotes(root, version, ''),
      '',
    ].join('\n'),
  )
  if (checks.some(({problem}) => problem !== undefined)) {
    print('Nothing was changed: a check failed, see the top.')
    return 1
  }
  if (values['dry-run']) {
    print('Nothing was changed: this was a dry run.')
    return 0
  }
  if (!values.yes && confirm === undefined) {
    print('Nothing was changed: without a terminal, --yes says that you mean it.')
    return 1
  }
  if (!values.yes && !(await confirm?.(`Create and push the tag ${tag}?`))) {
    print('Nothing was changed.')
    return 1
  }
  await git(root, 'tag', '--annotate', tag, '--message', `Handrail ${version}`)
  await git(root, 'push', 'origin', `refs/tags/${tag}`)
  print(`Pushed ${tag}.`)
  return 0
}

function listOf(checks: readonly Check[]): string {
  return checks
    .map(({name, problem}) => (problem === undefined ? `  ok      ${name}` : `  FAILED  ${name}: ${problem}`))
    .join('\n')
}
