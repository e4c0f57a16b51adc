import {assertRefused, contract} from './target.ts'

contract('clients without a token', [
  ['cannot create', async ({stranger, named}) => assertRefused(stranger.create(named()), 401)],
  [
    'cannot patch',
    async ({stranger, stored}) =>
      assertRefused(
        stranger
          .patch((await stored())._id)
          .set({a: 1})
          .commit(),
        401,
      ),
  ],
  ['cannot delete', async ({stranger, stored}) => assertRefused(stranger.delete((await stored())._id), 401)],
  [
    'cannot publish',
    async ({stranger, draft}) => {
      const pair = await draft()
      await assertRefused(stranger.action({actionType: 'sanity.action.document.publish', ...pair}), 401)
    },
  ],
  [
    'get an error for a wrong token',
    async ({clientWith}) => assertRefused(clientWith({token: 'wrong'}).fetch('*[0]'), 401),
  ],
])
