import {deepEqual, equal, match} from 'node:assert/strict'
import {describe, test} from 'node:test'
import {Outbox} from '../../../studio/saving/outbox.ts'

const LAKE = 'https://lake.example'
const SAVE = `${LAKE}/v2025-02-19/data/actions/production`
const TAG = 'sanity.studio.document.commit'
const EDIT = {
  actionType: 'sanity.action.document.edit',
  draftId: 'drafts.search',
  publishedId: 'search',
  patch: {set: {name: 'a'}},
}
const REFUSAL = {
  error: {
    type: 'actionError',
    description: 'The action failed',
    items: [{index: 0, error: {type: 'insufficientPermissionsError', description: 'You may not change it.'}}],
  },
}

type Answer = (body: string) => Response | Error | Promise<Response>
const ok: Answer = () => Response.json({transactionId: 'a'})
const unreachable: Answer = () => new TypeError('Failed to fetch')
const refused: Answer = () => Response.json(REFUSAL, {status: 403})
const responding =
  (status: number, body: unknown): Answer =>
  () =>
    Response.json(body, {status})

/** A tab with a lake that responds as `answer` says, and pauses that end when the test says so. */
function openTab(answer: Answer, items = kept()) {
  const sent: string[] = []
  const lake = {answer, sent, reads: 0}
  const pauses: {milliseconds: number; end: () => void}[] = []
  const outbox = new Outbox({
    items,
    wait: (milliseconds) => new Promise((resolve) => pauses.push({milliseconds, end: resolve})),
  })
  const inner: typeof fetch = async (_input, init) => {
    if (init?.method !== 'POST') {
      lake.reads += 1
      return Response.json({})
    }
    const body = String(init.body)
    lake.sent.push(body)
    const response = await lake.answer(body)
    if (response instanceof Error) throw response
    return response
  }
  const watched = outbox.watch(LAKE, inner)
  return {
    outbox,
    lake,
    pauses,
    items,
    read: (path: string) => watched(`${LAKE}${path}`),
    /** Saves, and waits until the first attempt is over. */
    async save(
      transactionId: string,
      {tag = TAG, actions = [EDIT]}: {tag?: string; actions?: unknown[]} = {},
    ): Promise<unknown> {
      const request = {url: SAVE, query: {tag}, body: {transactionId, actions}}
      const response = await outbox.take(request, async () => 'left to Studio')
      await new Promise(setImmediate)
      return response
    },
    /** Ends the pause, and waits until the next attempts are over. */
    async goOn() {
      pauses.shift()?.end()
      await new Promise(setImmediate)
    },
  }
}

/** The storage of a tab. */
function kept() {
  const items = new Map<string, string>()
  return {
    all: items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

const idsIn = (bodies: readonly string[]) => bodies.map((body) => JSON.parse(body).transactionId)

describe('the outbox of a tab', () => {
  test('sends a save once, and keeps nothing of it', async () => {
    const {outbox, lake, items, save} = openTab(ok)
    deepEqual(await save('a'), {transactionId: 'a'})
    deepEqual(idsIn(lake.sent), ['a'])
    equal(outbox.of('search'), undefined)
    equal(items.all.size, 0)
  })

  for (const [name, answer, kind] of [
    ['a broken connection', unreachable, 'failed'],
    ['a proxy without a lake', () => new Response('Bad gateway', {status: 502}), 'failed'],
    ['a refusal', refused, 'refused'],
    ['an ended session', responding(401, {}), 'signedOut'],
  ] as const)
    test(`acknowledges a save after ${name}, and sends it again with the same ID`, async () => {
      const {outbox, lake, save, goOn} = openTab(answer)
      deepEqual(await save('a'), {transactionId: 'a'})
      equal(outbox.of('search')?.kind, kind)
      lake.answer = ok
      await goOn()
      deepEqual(idsIn(lake.sent), ['a', 'a'])
      equal(lake.sent[0], lake.sent[1])
      equal(outbox.of('search'), undefined)
    })

  test('keeps the order of saves', async () => {
    const {lake, save, goOn} = openTab(unreachable)
    for (const id of ['a', 'b', 'c']) await save(id)
    deepEqual(idsIn(lake.sent), ['a'])
    lake.answer = ok
    await goOn()
    deepEqual(idsIn(lake.sent), ['a', 'a', 'b', 'c'])
  })

  test('one document does not wait for another', async () => {
    const {lake, save} = openTab((body) => (body.includes('"search"') ? refused(body) : ok(body)))
    await save('a')
    await save('b', {actions: [{...EDIT, publishedId: 'other'}]})
    deepEqual(idsIn(lake.sent), ['a', 'b'])
  })

  test('pauses grow: to two seconds without a lake, to a minute after a refusal', async () => {
    for (const [answer, longest] of [
      [unreachable, 2_000],
      [refused, 60_000],
    ] as const) {
      const {pauses, save, goOn} = openTab(answer)
      await save('a')
      const lengths: (number | undefined)[] = []
      for (let time = 0; time < 10; time += 1) {
        lengths.push(pauses[0]?.milliseconds)
        await goOn()
      }
      deepEqual([lengths[0], lengths[1], lengths.at(-1)], [250, 500, longest])
    }
  })

  test('a page that is loaded again sends what the last one could not', async () => {
    const before = openTab(unreachable)
    for (const id of ['a', 'b']) await before.save(id)
    const after = openTab(ok, before.items)
    await after.goOn()
    deepEqual(idsIn(after.lake.sent), ['a', 'b'])
    equal(before.items.all.size, 0)
  })

  test('a save that waits for its response is acknowledged and kept, too', async () => {
    const before = openTab(() => new Promise(() => {}))
    deepEqual(await before.save('a'), {transactionId: 'a'})
    const after = openTab(ok, before.items)
    await after.goOn()
    deepEqual(idsIn(after.lake.sent), ['a'])
  })

  test('a tab whose storage is full does not say that it keeps what was typed', async () => {
    const full = {...kept(), setItem: () => undefined}
    for (const [items, keeps] of [
      [kept(), true],
      [full, false],
    ] as const) {
      const {outbox, save} = openTab(unreachable, items)
      await save('a')
      equal(outbox.keeps('search'), keeps)
    }
  })

  test('a document is read after its saves, unless they fail', async () => {
    let respond = (_response: Response) => {}
    const {lake, save, read, goOn} = openTab(() => new Promise((resolve) => (respond = resolve)))
    const path = '/v2025-02-19/data/doc/production/search,drafts.search'
    await save('a')
    void read(path)
    void read('/v2025-02-19/data/doc/production/other')
    await goOn()
    equal(lake.reads, 1)
    respond(Response.json({}, {status: 503}))
    await goOn()
    equal(lake.reads, 2)
  })

  test('what is discarded is not sent again', async () => {
    const {outbox, lake, items, save, goOn} = openTab(refused)
    for (const id of ['a', 'b']) await save(id)
    outbox.discard('search')
    lake.answer = ok
    await goOn()
    deepEqual(idsIn(lake.sent), ['a'])
    equal(items.all.size, 0)
  })

  test('listeners are told of each change, and of the reason', async () => {
    const {outbox, save} = openTab(refused)
    let calls = 0
    outbox.listen(() => calls++)
    await save('a')
    const {kind, reason} = outbox.of('search') ?? {}
    deepEqual([kind, reason], ['refused', 'You may not change it.'])
    await save('b')
    equal(calls, 3)
  })

  test('reasons: a full disk, no reason, a missing permission, a conflict', async () => {
    const full = {
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'Nothing was saved: the disk is full',
    }
    const description = 'The document with the ID "search" was not found'
    const items = [{index: 0, error: {type: 'documentNotFoundError', description}}]
    const permission = {type: 'insufficientPermissionsError', description: 'permission "write" required'}
    for (const [answer, kind, reason] of [
      [responding(503, full), 'failed', /^the disk is full\.$/],
      [() => new Response('<html>', {status: 413}), 'refused', /^undefined$/],
      [responding(403, {error: permission}), 'refused', /^you may no longer change this document/],
      [responding(409, {error: {type: 'actionError', items}}), 'refused', /was not found\.$/],
    ] as const) {
      const {outbox, save} = openTab(answer)
      await save('a')
      equal(outbox.of('search')?.kind, kind)
      match(String(outbox.of('search')?.reason), reason)
    }
  })

  test('a draft that somebody else creates at the same moment is changed instead', async () => {
    const {lake, save} = openTab(ok)
    const create = {actionType: 'sanity.action.document.create', publishedId: 'search', ifExists: 'fail'}
    await save('a', {actions: [create, EDIT]})
    deepEqual(JSON.parse(lake.sent[0] ?? '').actions, [{...create, ifExists: 'ignore'}, EDIT])
  })

  test('other requests are left to Studio', async () => {
    const {lake, save} = openTab(ok)
    equal(await save('a', {tag: 'sanity.studio.document.publish'}), 'left to Studio')
    deepEqual(lake.sent, [])
  })
})
