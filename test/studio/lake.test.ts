import {deepEqual, equal} from 'node:assert/strict'
import {test} from 'node:test'

test('Sanity’s command line, which imitates a browser, keeps its fetch', async (t) => {
  const {fetch} = globalThis
  const location = {origin: 'http://localhost:3333'}
  Object.defineProperty(globalThis, 'location', {value: location, configurable: true})
  t.after(() => Reflect.deleteProperty(globalThis, 'location'))
  // Its types need those of browsers, which this program does not have.
  const {lakeOptions} = await import(new URL('../../studio/lake.ts', import.meta.url).href)
  equal(lakeOptions('/', 'local', []).apiHost, location.origin)
  equal(globalThis.fetch, fetch)
})

test('Studio’s buttons publish and schedule a release as its review has shown it, once for each look', async (t) => {
  const items = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  }
  Object.defineProperty(globalThis, 'sessionStorage', {value: sessionStorage, configurable: true})
  t.after(() => Reflect.deleteProperty(globalThis, 'sessionStorage'))
  const {lakeOptions} = await import(new URL('../../studio/lake.ts', import.meta.url).href)
  const {keepSeen} = await import(new URL('../../studio/review/seen.ts', import.meta.url).href)
  const sent: unknown[] = []
  const client = lakeOptions('http://localhost', 'local', []).unstable_clientFactory({
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2025-02-19',
    useCdn: false,
    requestHandler: async ({body}: {body: {actions: {ifReviewed?: string}[]}}) => {
      sent.push(body.actions[0]?.ifReviewed)
      return {}
    },
  })
  const publish = (options = {}) => client.releases.publish({releaseId: 'rSale'}, options)
  const schedule = () => client.releases.schedule({releaseId: 'rSale', publishAt: '2031-01-01T00:00:00Z'})
  keepSeen('rSale', 'content')
  await client.releases.publish({releaseId: 'rOther'})
  await publish({dryRun: true})
  await publish()
  await publish()
  keepSeen('rSale', 'other')
  await client.action({actionType: 'sanity.action.release.publish', releaseId: 'rSale', ifReviewed: 'own'})
  await schedule()
  keepSeen('rSale', 'later')
  await schedule()
  deepEqual(sent, [undefined, undefined, 'content', undefined, 'own', undefined, 'later'])
})
