import type {Fault} from '../fault.ts'

/** Faults in `lake/access/`. */
export const LAKE_ACCESS: readonly Fault[] = [
  {
    name: 'a viewer may write',
    file: 'lake/access/access.ts',
    find: 'if (!mayUse(principal.rights, permission)) throw insufficient(permission)',
    replace: "if (!mayUse(principal.rights, 'read')) throw insufficient(permission)",
  },
  {
    name: 'a session works on the pages of other origins',
    file: 'lake/access/access.ts',
    find: '    this.requireOurPage(request)\n',
    replace: '',
  },
  {
    name: 'sessions survive a change of the password',
    file: 'lake/access/accounts.ts',
    find: 'return editor?.generation === generation ?',
    replace: "return generation !== '' ?",
  },
  {
    name: 'a one-time link signs in twice',
    file: 'lake/access/accounts.ts',
    find: 'return [replaceEditor(current, editor), signedIn(editor)]',
    replace: 'return [replaceEditor(current, found.editor), signedIn(editor)]',
  },
  {
    name: 'a one-time link does not expire',
    file: 'lake/access/credentials/link.ts',
    find: 'return left > 0 && ',
    replace: 'return ',
  },
  {
    name: 'a one-time link of a clock that was ahead works for longer',
    file: 'lake/access/credentials/link.ts',
    find: ' && left <= lifetime + MAX_AHEAD',
    replace: '',
  },
  {
    name: 'the administrator of a site gives rights for all sites',
    file: 'lake/access/administration.ts',
    find: 'this.#givesAll(current, {id: about.id, rights: differences(before, rights)})',
    replace: '',
  },
  {
    name: 'the beginning of a secret is accepted',
    file: 'common/secret.ts',
    find: "timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))",
    replace:
      "timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other.slice(0, one.length), 'buffer'))",
  },
  {
    name: 'a session does not expire',
    file: 'lake/access/signIn/sessions.ts',
    find: 'WHERE hash = ? AND expires_at > ?',
    replace: 'WHERE hash = ? AND ? > 0',
  },
  {
    name: 'an address in capitals allows further guesses of a password',
    file: 'lake/access/signIn/attempts.ts',
    find: 'return digest(email.toLowerCase())',
    replace: 'return digest(email)',
  },
  {
    name: 'a quotation mark ends an attribute of the sign-in page',
    file: 'lake/access/signIn/loginPage.ts',
    find: `text.replace(/[&<>"']/g`,
    replace: `text.replace(/[&<>']/g`,
  },
  {
    name: 'scripts can read the session cookie',
    file: 'lake/access/signIn/cookie.ts',
    find: 'httpOnly: true',
    replace: 'httpOnly: false',
  },
  {
    name: 'rights for two sites can be given by the administrator of one',
    file: 'lake/access/rights/rights.ts',
    find: 'sites.every(isManaged)',
    replace: 'sites.some(isManaged)',
  },
  {
    name: 'an email address that the provider did not verify gives rights',
    file: 'lake/access/oidc/mapping.ts',
    find: 'claims.email_verified !== true',
    replace: 'claims.email_verified === false',
  },
  {
    name: 'a sign-in at a provider is completed twice',
    file: 'lake/access/oidc/pendingSignIns.ts',
    find: 'this.#completed.set(state, true)',
    replace: 'this.#completed.delete(state)',
  },
  {
    name: 'a callback ends the sign-in of another tab',
    file: 'lake/http/signIn/singleSignOn.ts',
    find: "if (completed !== 'began elsewhere') reply",
    replace: 'reply',
  },
  {
    name: 'a one-time link stays valid when rights grow',
    file: 'lake/access/accounts.ts',
    find: 'const changed = covers(editor.rights, rights)',
    replace: 'const changed = covers(rights, rights)',
  },
  {
    name: 'an address that the provider did not verify is the author of commits',
    file: 'lake/access/oidc/profile.ts',
    find: 'claims.email_verified === true ? textIn',
    replace: 'claims.email_verified !== false ? textIn',
  },
]
