import {createInterface} from 'node:readline/promises'
import {type Readable, Writable} from 'node:stream'
import {passwordProblem} from '../access/secrets.ts'

/** Where a password comes from: a terminal, or a pipe. */
export type Input = Readable & {readonly isTTY?: boolean}

/** Asks for the password of an editor, without showing it. */
export async function askPassword(
  input: Input,
  editor: {readonly name: string; readonly email: string},
): Promise<string> {
  const lines = createInterface({
    input,
    // Do not echo the input.
    output: new Writable({write: (_chunk, _encoding, done) => done()}),
    terminal: input.isTTY === true,
  })
  try {
    if (input.isTTY === true) process.stderr.write('Password: ')
    const {value} = await lines[Symbol.asyncIterator]().next()
    if (input.isTTY === true) process.stderr.write('\n')
    const password = typeof value === 'string' ? value : ''
    const problem = passwordProblem(password, editor)
    const hint =
      input.isTTY === true ? '' : '. Without a terminal, the password is the first line of standard input.'
    if (problem !== undefined) throw new Error(problem + hint)
    return password
  } finally {
    lines.close()
  }
}
