/** Where a command reads from and writes to. */
export type Console = {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  readonly environment: NodeJS.ProcessEnv
  /** The directory in which the user ran the command. */
  readonly directory: string
  /** Reads the standard input to its end. */
  readonly input: () => Promise<string>
  /** Waits for so many milliseconds before a request is repeated. */
  readonly wait: (milliseconds: number) => Promise<void>
}

export type Command = {
  /** Shown with `--help`. */
  readonly help: string
  /** @returns the exit code */
  readonly run: (args: readonly string[], console: Console) => Promise<number>
}

/** The exit code of a command that cannot run: wrong arguments, a missing directory, a failure of Git. */
export const CANNOT_RUN = 2

/** The command cannot run. The message is for the person who started it. */
export class CommandError extends Error {}
