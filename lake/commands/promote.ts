import {errorMessage} from '../../common/errorMessage.ts'
import {readBranch} from '../../git/branch.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import {Remote} from '../../git/remote/remote.ts'
import {LakeRole} from '../../git/remote/role.ts'
import {announcePromotion} from '../../git/remote/standby.ts'
import type {LakeEnvironment} from '../settings.ts'

/** Timeout of one request to the remote, in milliseconds. */
const TIMEOUT = 60_000

const NO_LOGGER = {info: () => {}, warn: () => {}, error: () => {}}

/**
 * Makes a standby the primary, whether its lake runs or not: a running one accepts changes within a second. First, the
 * remote gets a commit that stops the old primary.
 * @returns the text to print
 * @throws Error with the text to print; nothing was changed then
 */
export async function promote(
  {contentDir, gitRemote, follows}: Pick<LakeEnvironment, 'contentDir' | 'gitRemote' | 'follows'>,
  {withoutRemote = false}: {readonly withoutRemote?: boolean} = {},
): Promise<string> {
  const folder = await openContentDirectory(contentDir)
  const role = await LakeRole.open(folder.gitDir, {follows, logger: NO_LOGGER})
  const {id} = role
  if (id === undefined || !role.isStandby)
    throw new Error(
      'This lake is the primary already: only a standby, or a lake that was replaced, can be promoted.',
    )
  if (!withoutRemote) {
    const branch = await readBranch(folder.gitDir)
    if (gitRemote === undefined || branch === undefined)
      throw new Error('Set LAKE_FOLLOW or GIT_REMOTE to the remote, as for the lake.')
    const {signal} = new AbortController()
    await announcePromotion(
      folder,
      new Remote(folder, gitRemote, {timeout: TIMEOUT, signal}),
      branch,
      id,
    ).catch((error: unknown) => {
      throw new Error(
        `Not promoted, because the remote cannot stop the old primary: ${errorMessage(error)}. If the remote is lost and the old primary does not run, use --without-remote.`,
      )
    })
  }
  await role.promote(withoutRemote)
  return (
    `This lake is the primary now. ${withoutRemote ? 'Nothing stops the old one before this lake reaches the remote: make sure that it does not run.' : 'The old one is refused at its next push.'}\n` +
    'Set GIT_REMOTE in place of LAKE_FOLLOW, and point Studio and the service at this lake.'
  )
}
