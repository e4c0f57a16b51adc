import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../../../common/pathParam.ts'
import type {Access} from '../../access/access.ts'
import type {Principal} from '../../access/principal.ts'
import {highestRole, mayUse} from '../../access/rights/rights.ts'
import {refuse} from '../errors.ts'

/**
 * The current user, other users, and their permissions, as Studio requests them.
 * @param nameOf returns the name of a user who is known only from the history, by e-mail address
 */
export function userRoutes(
  app: FastifyInstance,
  access: Access,
  nameOf: (email: string) => string | undefined,
): void {
  const find = async (id: string): Promise<Principal | undefined> => {
    const name = nameOf(id)
    return (await access.known(id)) ?? (name === undefined ? undefined : {id, name, email: id, rights: []})
  }

  const options: RouteShorthandOptions = {config: {access: 'read'}}
  app.get('/v:version/users/me', options, async (request) => userOf(await access.require(request, 'read')))

  // Studio requests the names for a history, several ids at a time.
  app.get('/v:version/users/:ids', options, async (request) => {
    const ids = pathParam(request, 'ids').split(',').slice(0, 200)
    const users = (await Promise.all(ids.map(find))).filter((user) => user !== undefined).map(userOf)
    if (ids.length > 1) return users
    const [user] = users
    if (user === undefined) throw refuse.notFound('User not found')
    return user
  })

  app.get('/v:version/projects/:project/users/:id', options, async (request) => {
    const user = await find(pathParam(request, 'id'))
    if (user === undefined) throw refuse.notFound('User not found')
    return userOf(user)
  })

  app.get('/v:version/projects/:project/datasets/:dataset/acl', options, async (request) => {
    const {rights} = await access.require(request, 'read')
    const permissions = mayUse(rights, 'write')
      ? ['read', 'update', 'create', 'history', 'editHistory']
      : ['read', 'history']
    return [{filter: '_id in path("**")', permissions}]
  })
}

/** A principal as Sanity's API shows a user. https://www.sanity.io/docs/http-reference/users */
function userOf({id, name, email, rights}: Principal): Record<string, unknown> {
  const role = highestRole(rights) ?? 'viewer'
  const title = role.charAt(0).toUpperCase() + role.slice(1)
  return {
    id,
    name,
    displayName: name,
    email,
    profileImage: null,
    provider: 'handrail',
    role,
    roles: [{name: role, title, description: `${title} of this lake`}],
  }
}
