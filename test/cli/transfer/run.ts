import {CommandError} from '../../../cli/command.ts'

const COMMANDS = {
  import: () => import('../../../cli/import/command.ts'),
  export: () => import('../../../cli/export/command.ts'),
}

/** What a command printed. A command that cannot run has an error and the code 2. */
export type Ran = {readonly code: number; readonly out: string; readonly error: string}

/** Runs a command of `content` in this process. */
export async function content(
  name: keyof typeof COMMANDS,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  let out = ''
  let error = ''
  const console = {
    out: (text: string) => {
      out += text
    },
    error: (text: string) => {
      error += text
    },
    environment,
    directory: '/',
  }
  try {
    const {command} = await COMMANDS[name]()
    const code = await command.run(args, console)
    return {code, out, error}
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown
    return {code: 2, out, error: thrown.message}
  }
}
