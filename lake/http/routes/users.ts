import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import type {Access} from '../../access/access.ts'
import type {DocumentRights} from '../../access/documentRights.ts'
import type {Principal} from '../../access/principal.ts'
import {describeRights, highestRole, type Right, type SiteName} from '../../access/rights/rights.ts'
import {refuse} from '../errors.ts'
import {admitted} from '../gate.ts'

/**
 * The current user, other users, and their permissions, as Studio requests them.
 * @param rights what the current user may do with documents
 * @param nameOf returns the name of a user who is known only from the history, by e-mail address
 */
export function userRoutes(
  app: FastifyInstance,
  access: Access,
  rights: Pick<DocumentRights, 'grantsOf'>,
  nameOf: (email: string) => string | undefined,
): void {
  const find = async (id: string): Promise<Principal | undefined> => {
    const name = nameOf(id)
    return (await access.known(id)) ?? (name === undefined ? undefined : {id, name, email: id, rights: []})
  }

  const options: RouteShorthandOptions = {config: {access: 'read'}}
  app.get('/v:version/users/me', options, async (request) => userOf(admitted(request), access.siteName))

  // Studio requests the names for a history, several ids at a time.
  app.get('/v:version/users/:ids', options, async (request) => {
    const ids = pathParam(request, 'ids').split(',').slice(0, 200)
    const users = (await Promise.all(ids.map(find)))
      .filter((user) => user !== undefined)
      .map((user) => userOf(user, access.siteName))
    if (ids.length > 1) return users
    const [user] = users
    if (user === undefined) throw refuse.notFound('User not found')
    return user
  })

  app.get('/v:version/projects/:project/users/:id', options, async (request) => {
    const user = await find(pathParam(request, 'id'))
    if (user === undefined) throw refuse.notFound('User not found')
    return userOf(user, access.siteName)
  })

  app.get('/v:version/projects/:project/datasets/:dataset/acl', options, async (request) => {
    const principal = admitted(request)
    return rights.grantsOf(principal)
  })
}

/** A principal as Sanity's API shows a user. https://www.sanity.io/docs/http-reference/users */
function userOf({id, name, email, rights}: Principal, siteName: SiteName): Record<string, unknown> {
  return {
    id,
    name,
    displayName: name,
    email,
    profileImage: null,
    provider: 'handrail',
    role: highestRole(rights) ?? 'none',
    roles: rights.map((right) => roleOf(right, siteName)),
  }
}

/** Studio shows the title where it says what a role does not allow. Sanity has no `sites`, which the service reads. */
function roleOf(right: Right, siteName: SiteName): Record<string, unknown> {
  const text = describeRights([right], siteName)
  const title = text.charAt(0).toUpperCase() + text.slice(1)
  return {name: right.role, title, description: title, sites: right.sites}
}
