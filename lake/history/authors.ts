import {type Accounts, programNamed} from '../access/accounts.ts'

/** Finds who is behind the e-mail address of a commit: an editor, a program, or else the address itself. */
export async function authorsOf(accounts: Accounts): Promise<(email: string) => string> {
  const [editors, tokens] = await Promise.all([accounts.editors(), accounts.tokens()])
  const programs = tokens.map(({id, name, role}) => programNamed(id, name, role))
  const ids = new Map([...programs, ...editors].map(({id, email}) => [email.toLowerCase(), id]))
  return (email) => ids.get(email.toLowerCase()) ?? email
}
