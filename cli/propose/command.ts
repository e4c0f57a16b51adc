import {parseArgs} from 'node:util'
import {GitError, git} from '../../git/process.ts'
import {findComparePage} from '../../git/remote/commitPage.ts'
import {assertWorkTree} from '../changes.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {contentDirectory} from '../directory.ts'
import {printable, withoutCommands} from '../printable.ts'

const HELP = `Usage: content propose [DIR] [OPTIONS]

Checks the content of a clone, commits it on a branch "propose/…", pushes that branch, and says how a review begins.
Errors and failed tests stop it. It never pushes to the branch that the lake serves.

  --message TEXT    what the change is for: the subject of the commit, if there are changes to commit
  --base-url URL    first test the tools that changed, on this website, as "content test" does
  --site PUBLIC_ID  the site to test, if the repository has several and none has this address
  --remote NAME     where to push (default: origin)
  --dry-run         check and test, but only say what would be pushed
  --help            print this help

Exit codes: 0 proposed; 1 errors, or failed tests; 2 wrong usage, nothing to propose, or a failure of Git.
`

const OPTIONS = {
  message: {type: 'string'},
  'base-url': {type: 'string'},
  site: {type: 'string'},
  remote: {type: 'string', default: 'origin'},
  'dry-run': {type: 'boolean', default: false},
} as const

/** Branches of proposals are in this folder. */
const FOLDER = 'propose/'

/** Milliseconds that a remote may take. */
const TIMEOUT = 120_000

/** `content propose`. */
export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
  if (positionals.length > 1) throw new CommandError('There can be only one directory.')
  const {message, remote, 'base-url': baseUrl, site} = values
  const directory = await contentDirectory(positionals[0], console)
  await assertWorkTree(directory, 'change')
  const state = await readRemote(directory, remote)
  const {served, base} = state
  const changes = await git(directory, ['status', '--porcelain', '--untracked-files=all', '--', '.'])
  const ahead = await git(directory, ['rev-list', '--count', `${base}..HEAD`])
  if (changes === '' && ahead.trim() === '0')
    throw new CommandError(`Nothing differs from ${served} of ${remote}.`)
  if (changes !== '' && !message?.trim())
    throw new CommandError(
      'Say with --message what the change is for, such as --message "Describe the search better".',
    )
  const {branch, isNew} = await branchFor(directory, message, state)

  const {command: check} = await import('../check/command.ts')
  const checked = await check.run([directory], console)
  if (checked !== 0) return checked
  if (baseUrl !== undefined) {
    const {command: test} = await import('../test/command.ts')
    const ofSite = site === undefined ? [] : ['--site', site]
    const tested = await test.run([directory, '--base-url', baseUrl, '--changed', base, ...ofSite], console)
    if (tested !== 0) return tested
  }
  if (values['dry-run']) {
    console.out(
      `Would push ${printable(branch)} to ${printable(remote)}, with\n${withoutCommands(changes || 'the commits that exist\n')}`,
    )
    return 0
  }
  if (isNew) await git(directory, ['switch', '--quiet', '--create', branch])
  if (changes !== '') {
    await git(directory, ['add', '--all', '--', '.'])
    // Only what is in the directory, whatever else is staged.
    await git(directory, ['commit', '--quiet', '--message', message ?? '', '--', '.'], {timeout: TIMEOUT})
  }
  const page = await push(directory, remote, branch)
  const compared = page ?? (await findComparePage(directory, remote, served, branch))
  console.out(`Pushed ${printable(branch)} to ${printable(remote)}. Nothing is published yet.\n`)
  console.out(
    compared === undefined
      ? `Ask a person who may publish to review the branch, and to merge it into ${printable(served)}.\n`
      : `Ask for a review: ${printable(compared)}\n`,
  )
  return 0
}

/** What a remote has. */
type RemoteState = {
  /** Its branch, which a lake serves, and the newest commit of that. */
  readonly served: string
  readonly base: string
  /** Branches of proposals. */
  readonly taken: readonly string[]
}

/** @throws CommandError, GitError */
async function readRemote(directory: string, remote: string): Promise<RemoteState> {
  const timeout = TIMEOUT
  const refs = ['HEAD', `refs/heads/${FOLDER}*`]
  const list = await git(directory, ['ls-remote', '--symref', '--', remote, ...refs], {timeout})
  const [, served] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(list) ?? []
  const [, base] = /^([0-9a-f]+)\tHEAD$/m.exec(list) ?? []
  if (served === undefined || base === undefined)
    throw new CommandError(`${remote} has no branch that a lake could serve: push the first commit there.`)
  await git(directory, ['fetch', '--quiet', '--no-tags', '--', remote, `refs/heads/${served}`], {timeout})
  return {served, base, taken: Array.from(list.matchAll(/\trefs\/heads\/(.+)$/gm), ([, name = '']) => name)}
}

/** The current branch if it is a proposal, else a new one that is named after what it is for. */
async function branchFor(directory: string, message: string | undefined, {served, taken}: RemoteState) {
  const current = (await git(directory, ['branch', '--show-current'])).trim()
  if (current.startsWith(FOLDER) && current !== served) return {branch: current, isNew: false}
  const subject = message ?? (await git(directory, ['log', '-1', '--format=%s']))
  const words = subject
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['change']
  const wanted = FOLDER + words.join('-').slice(0, 50)
  const format = ['for-each-ref', '--format=%(refname:lstrip=2)', `refs/heads/${FOLDER}`]
  const all = new Set([served, ...taken, ...(await git(directory, format)).split('\n')])
  let branch = wanted
  for (let number = 2; all.has(branch); number += 1) branch = `${wanted}-${number}`
  return {branch, isNew: true}
}

/** @returns the page for a review, if the host names one: GitHub, GitLab, Gitea, Forgejo and Bitbucket do */
async function push(directory: string, remote: string, branch: string): Promise<string | undefined> {
  let messages = ''
  const onMessages = (text: string) => {
    messages = text
  }
  const ref = `refs/heads/${branch}`
  try {
    await git(directory, ['push', '--set-upstream', '--', remote, `${ref}:${ref}`], {
      timeout: TIMEOUT,
      onMessages,
    })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    const reason =
      /^(?: ! |error: |fatal: |remote: (?=\S)).+$/m.exec(error.stderr)?.[0].trim() ?? error.message
    throw new CommandError(`The commit is on ${branch}, but Git could not push it: ${reason}`)
  }
  return /^remote:\s+(https?:\/\/\S*(?:pull|merge|compare)\S*)\s*$/m.exec(messages)?.[1]
}
