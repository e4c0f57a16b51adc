import {mayGive, type Rights} from '../rights/rights.ts'
import type {Credentials, Editor} from './credentials.ts'
import {digest} from './secret.ts'

/** Milliseconds for which the link of an editor who has signed in before is valid. */
export const LINK_LIFETIME = 30 * 60_000

/** The same for a new editor, who first has to read the message with the link. */
const INVITATION_LIFETIME = 3 * 24 * 60 * 60_000

/** The link with a code, and the editor for whom it was made. */
export type FoundLink = {readonly editor: Editor; readonly state: 'valid' | 'expired' | 'used'}

/**
 * An editor with a new link, which replaces an earlier one.
 * @param madeBy the id of who made it
 */
export function withLink(editor: Editor, code: string, madeBy: string | undefined): Editor {
  const isForAnother = madeBy !== undefined && madeBy !== editor.id
  const link = {hash: digest(code), expiresAt: Date.now() + lifetimeOf(editor), ...(isForAnother && {madeBy})}
  return {...withoutLink(editor), link}
}

/** An editor who signed in with their link, or as whom its maker did. */
export function withRedeemedLink(editor: Editor): Editor {
  const {isInvited: _accepted, ...rest} = withoutLink(editor)
  const madeBy = editor.link?.madeBy
  return madeBy === undefined
    ? rest
    : {...rest, linkMakers: [...new Set([...(editor.linkMakers ?? []), madeBy])]}
}

/**
 * An editor without a password that somebody could have set who may not give these rights: they would sign in with rights
 * that others decided on.
 */
export function withTrustedPassword(editor: Editor, rights: Rights, {editors, tokens}: Credentials): Editor {
  const makers = editor.linkMakers ?? []
  const rightsOf = (id: string) => [...editors, ...tokens].find((one) => one.id === id)?.rights ?? []
  if (makers.every((id) => mayGive(rightsOf(id), rights))) return editor
  const {passwordHash: _untrusted, linkMakers: _makers, ...rest} = editor
  return rest
}

/** An editor without a link. The digest of the last one stays, so that its page can say what happened to it. */
export function withoutLink({link, ...editor}: Editor): Editor {
  return link === undefined ? editor : {...editor, usedLink: link.hash}
}

/** Finds the link with a code. */
export function findLink({editors}: Credentials, code: string): FoundLink | undefined {
  const hash = digest(code)
  for (const editor of editors) {
    if (editor.link?.hash === hash)
      return {editor, state: Date.now() < editor.link.expiresAt ? 'valid' : 'expired'}
    if (editor.usedLink === hash) return {editor, state: 'used'}
  }
  return undefined
}

/** Milliseconds for which a link of an editor is valid. */
function lifetimeOf({isInvited}: Pick<Editor, 'isInvited'>): number {
  return isInvited === true ? INVITATION_LIFETIME : LINK_LIFETIME
}
