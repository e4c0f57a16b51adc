import {GitLauncher} from '../../../../git/launcher/launcher.ts'
import {git, runGitSeparately} from '../../../../git/process.ts'

/** Runs Git in another process. `once` prints Git's version and ends; `hang` prints the ID of that process and waits. */
if (process.argv[2] === 'once') {
  runGitSeparately()
  console.log((await git('.', ['--version'])).trim())
} else {
  const launcher = new GitLauncher()
  const args = ['-c', 'alias.hang=!exec sleep 60', 'hang']
  const events = {onData() {}, onEnd() {}, onError() {}}
  launcher.run({directory: process.cwd(), args, env: process.env, input: ''}, events)
  console.log(launcher.pid)
}
