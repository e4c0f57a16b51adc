import {run} from '../../../cli/main.ts'

/** What a command printed, and its exit code. */
export type Ran = {
  readonly code: number
  readonly out: string
  readonly error: string
  /** The waits before a request was repeated, in milliseconds. They take no time. */
  readonly waits: readonly number[]
}

/** Runs a command of `content` in this process. */
export async function content(
  args: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv = {},
  input = '',
): Promise<Ran> {
  let out = ''
  let error = ''
  const waits: number[] = []
  const code = await run(args, {
    out: (text) => {
      out += text
    },
    error: (text) => {
      error += text
    },
    environment,
    directory,
    input: async () => input,
    wait: async (milliseconds) => void waits.push(milliseconds),
  })
  return {code, out, error, waits}
}
