// Runs Git for the lake that forked this process. The process ends with the lake, after the commands that run.
import {type GitCommand, type Report, type Request, type RunningGit, spawnGit} from './spawnGit.ts'

/** How long Git may run after the lake has ended, in milliseconds. */
const LAST_TIMEOUT = 5_000

const running = new Map<number, RunningGit>()

process.on('message', (request: Request) => {
  if (request.kind === 'stop') running.get(request.run)?.stop()
  else start(request.run, request.command)
})

function start(run: number, command: GitCommand): void {
  const report = (last: Report) => {
    running.delete(run)
    send(last)
  }
  const onError = (reason: string) => report({kind: 'error', run, reason})
  try {
    const git = spawnGit(command, {
      onData(data) {
        // The lake may read more slowly than Git writes.
        if (!send({kind: 'data', run, data}, () => git.resume())) git.pause()
      },
      onEnd: (end) => report({kind: 'end', run, end}),
      onError,
    })
    running.set(run, git)
  } catch (error) {
    // Arguments that no program can be started with, such as one with a NUL.
    onError(String(error))
  }
}

function send(report: Report, onSent = () => {}): boolean {
  // The lake has ended, so there is no one to report to. Git still completes its work.
  if (!process.connected) return true
  return process.send?.(report, undefined, undefined, onSent) ?? true
}

process.once('disconnect', () => {
  const stopAll = () => {
    for (const git of running.values()) git.stop()
  }
  setTimeout(stopAll, LAST_TIMEOUT).unref()
})

// Ctrl+C and systemd signal all processes of the lake. It still needs Git while it shuts down.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
