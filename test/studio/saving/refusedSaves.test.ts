import {deepEqual, equal, match, rejects} from 'node:assert/strict'
import {describe, test} from 'node:test'
import {RefusedSaves} from '../../../studio/saving/refusedSaves.ts'

const LAKE = 'https://lake.example'
const SAVE = `${LAKE}/v2025-02-19/data/actions/production?tag=sanity.studio.document.commit`
const INIT = {
  method: 'POST',
  body: JSON.stringify({
    actions: [
      {actionType: 'sanity.action.document.edit', draftId: 'drafts.search', publishedId: 'search', patch: {}},
    ],
  }),
}
const REFUSAL = {
  error: {
    type: 'actionError',
    description: 'The action failed',
    items: [{index: 0, error: {type: 'insufficientPermissionsError', description: 'You may not change it.'}}],
  },
}

/** Sends a request to a lake that responds so. */
async function send(
  saves: RefusedSaves,
  response: Response | Error,
  {url = SAVE, body = INIT.body, sent = (_body: unknown) => {}} = {},
): Promise<Response> {
  const inner: typeof fetch = async (_input, init) => {
    sent(init?.body)
    if (response instanceof Error) throw response
    return response
  }
  return saves.watch(LAKE, inner)(url, {...INIT, body})
}

describe('saves that the lake refuses', () => {
  test('Studio gets a response after which it keeps the text, and the form the reason', async () => {
    const saves = new RefusedSaves()
    let calls = 0
    saves.listen(() => calls++)
    const response = await send(saves, Response.json(REFUSAL, {status: 403}))
    equal(response.status, 503)
    deepEqual(await response.json(), REFUSAL)
    deepEqual(saves.of('search'), {kind: 'refused', reason: 'You may not change it.'})
    equal(saves.of('other'), undefined)
    equal(calls, 1)
  })

  test('a save that works again ends the refusal', async () => {
    const saves = new RefusedSaves()
    await send(saves, Response.json(REFUSAL, {status: 403}))
    equal((await send(saves, Response.json({transactionId: 'a'}))).status, 200)
    equal(saves.of('search'), undefined)
  })

  test('a lake that cannot be reached, and a proxy without a lake, are told apart from a refusal', async () => {
    const saves = new RefusedSaves()
    await rejects(send(saves, new TypeError('Failed to fetch')), /Failed to fetch/)
    deepEqual(saves.of('search'), {kind: 'failed'})
    await send(saves, Response.json({transactionId: 'a'}))
    equal((await send(saves, new Response('Bad gateway', {status: 502}))).status, 502)
    deepEqual(saves.of('search'), {kind: 'failed'})
  })

  test('a lake that can store nothing is left to Studio, which tries again, and the form says why', async () => {
    const saves = new RefusedSaves()
    const body = {
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'Nothing was saved: the disk is full',
    }
    const response = await send(saves, Response.json(body, {status: 503}))
    deepEqual([response.status, await response.json()], [503, body])
    deepEqual(saves.of('search'), {kind: 'failed', reason: 'the disk is full.'})
  })

  test('a refusal without a reason is a refusal', async () => {
    const saves = new RefusedSaves()
    await send(saves, new Response('<html>', {status: 413}))
    deepEqual(saves.of('search'), {kind: 'refused'})
  })

  test('somebody who may not write any more is told so, and not which permission is missing', async () => {
    const saves = new RefusedSaves()
    const error = {type: 'insufficientPermissionsError', description: 'permission "write" required'}
    await send(saves, Response.json({error}, {status: 403}))
    match(saves.of('search')?.reason ?? '', /^you may no longer change this document/)
  })

  test('a conflict keeps the text, and the form says which', async () => {
    const saves = new RefusedSaves()
    const description = 'The document with the ID "search" was not found'
    const items = [{index: 0, error: {type: 'documentNotFoundError', description}}]
    const conflict = Response.json({error: {type: 'actionError', items}}, {status: 409})
    equal((await send(saves, conflict)).status, 503)
    deepEqual(saves.of('search'), {kind: 'refused', reason: description})
  })

  test('a draft that somebody else creates at the same moment is changed instead', async () => {
    const saves = new RefusedSaves()
    const edit = {actionType: 'sanity.action.document.edit', draftId: 'drafts.search', publishedId: 'search'}
    const create = {actionType: 'sanity.action.document.create', publishedId: 'search', ifExists: 'fail'}
    const body = JSON.stringify({transactionId: 'a', actions: [create, edit]})
    const bodies: unknown[] = []
    await send(saves, Response.json({}), {body, sent: (sent) => bodies.push(JSON.parse(String(sent)))})
    deepEqual(bodies, [{transactionId: 'a', actions: [{...create, ifExists: 'ignore'}, edit]}])
  })

  test('an ended session and other requests are left to Studio', async () => {
    const saves = new RefusedSaves()
    equal((await send(saves, new Response('{}', {status: 401}))).status, 401)
    const url = SAVE.replace('document.commit', 'document.publish')
    for (const status of [403, 409])
      equal((await send(saves, Response.json(REFUSAL, {status}), {url})).status, status)
    equal(saves.of('search'), undefined)
  })
})
