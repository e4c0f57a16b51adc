import type {Accounts} from '../access/accounts.ts'
import {programNamed} from '../access/principal.ts'

/** Maps the email address of a commit to an editor or a program, or else returns the address itself. */
export function authorsOf(accounts: Accounts): (email: string) => string {
  const [editors, tokens] = [accounts.editors(), accounts.tokens.all()]
  const programs = tokens.map(({id, name, rights}) => programNamed(id, name, rights))
  const ids = new Map([...programs, ...editors].map(({id, email}) => [email.toLowerCase(), id]))
  return (email) => ids.get(email.toLowerCase()) ?? email
}
