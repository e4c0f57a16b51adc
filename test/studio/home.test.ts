import {deepEqual, equal, rejects} from 'node:assert/strict'
import {test} from 'node:test'
import {sameOriginFetch} from '../../studio/sameOriginFetch.ts'

const origin = 'http://localhost:3333'

/** The requests that reach the network. */
function recording(others: string[] = []) {
  const urls: string[] = []
  const fetch = sameOriginFetch(
    origin,
    'local',
    async (input) => {
      urls.push(input instanceof Request ? input.url : String(input))
      return new Response('answered')
    },
    others,
  )
  return {urls, fetch}
}

test('requests to the page’s own host pass', async () => {
  const {urls, fetch} = recording()
  equal(await (await fetch(`${origin}/v1/users/me`)).text(), 'answered')
  await fetch('/v1/ping')
  await fetch(new Request(`${origin}/v1/ping`))
  await fetch('data:text/plain,hello')
  deepEqual(urls, [`${origin}/v1/users/me`, '/v1/ping', `${origin}/v1/ping`, 'data:text/plain,hello'])
})

test('a host name with the project’s ID in front is the page’s own', async () => {
  const {urls, fetch} = recording()
  await fetch('http://local.localhost:3333/v2021-06-07/users/me?tag=sdk')
  await fetch(new Request('http://local.localhost:3333/v1/ping'))
  deepEqual(urls, [`${origin}/v2021-06-07/users/me?tag=sdk`, `${origin}/v1/ping`])
})

test('no other host is contacted, and no newer version is reported', async () => {
  const {urls, fetch} = recording()
  await rejects(fetch('https://api.sanity.io/vX/intake/feedback', {method: 'POST'}), TypeError)
  await rejects(fetch(new URL('http://localhost:4444/')), TypeError)
  const version = await fetch('https://sanity-cdn.com/v1/modules/sanity/latest/%5E6.16.0/t1')
  deepEqual(await version.json(), {})
  deepEqual(urls, [])
})

test('a configured origin is contacted', async () => {
  const {urls, fetch} = recording(['http://localhost:3000'])
  await fetch('http://localhost:3000/snippet.js')
  await rejects(fetch('http://localhost:30001/'), TypeError)
  deepEqual(urls, ['http://localhost:3000/snippet.js'])
})
