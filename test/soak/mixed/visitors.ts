import {hash} from 'node:crypto'
import {recordOf} from '../../support/answers.ts'
import type {Random} from '../random.ts'
import {hold} from '../violation.ts'
import {Client} from './client.ts'
import {count, type Ground, pause} from './ground.ts'
import {paths, publicIdOf, SITES, type Texts} from './ledger.ts'

/**
 * Approximate interval between a visitor's requests, in milliseconds: 32 visitors send 200 requests a second.
 */
const VISITOR_PAUSE = 150

/** `Accept-Encoding` of browsers and programs. */
const codings = ['gzip, deflate, br, zstd', 'gzip, deflate', 'identity']

/** A visitor with pages of several sites open: always gets 200 or 304. */
export async function visit(ground: Ground, random: Random, localAddress: string): Promise<void> {
  const {ledger, counts, signal} = ground
  const client = new Client(ground.serviceAddress, localAddress)
  const copies = new Map<string, {tag: string; texts: Texts}>()
  let snippet: {tag: string; text: string} | undefined
  try {
    for (;;) {
      await pause(random, VISITOR_PAUSE, signal)
      if (random.chance(0.05)) snippet = await getSnippet(ground, client, snippet)
      const site = random.between(0, SITES - 1)
      const path = random.pick(paths)
      const coding = random.pick(codings)
      const key = `${site}${path}${coding}`
      const copy = random.chance(0.8) ? copies.get(key) : undefined
      const url = `/api/sites/${publicIdOf(site)}/config?path=${encodeURIComponent(path)}`
      const answer = await client.get(url, {
        'accept-encoding': coding,
        ...(copy && {'if-none-match': copy.tag}),
      })
      count(ground, 'config', answer)
      counts.slowest = Math.max(counts.slowest, answer.milliseconds)
      const {status, headers, text, sent} = answer
      hold(status === 200 || (status === 304 && copy !== undefined), `${url} returned ${status}: ${text}`)
      const tag = headers.etag ?? ''
      if (status === 304) hold(tag === copy?.tag && text === '', `${url}: 304 with ${tag} for ${copy?.tag}`)
      hold(/^\d+$/.test(headers.age ?? ''), `${url} has Age ${headers.age}`)
      const texts = status === 304 && copy ? copy.texts : ledger.read(site, path, text)
      ledger.check(site, texts, sent, Number(headers.age))
      copies.set(key, {tag, texts})
      if (status === 200 && random.chance(0.1)) await getModule(ground, client, site, text)
    }
  } finally {
    client.close()
  }
}

async function getSnippet(
  ground: Ground,
  client: Client,
  held: {tag: string; text: string} | undefined,
): Promise<{tag: string; text: string}> {
  const answer = await client.get('/snippet.js', {
    'accept-encoding': 'br',
    ...(held && {'if-none-match': held.tag}),
  })
  count(ground, 'snippet', answer)
  const {status, headers, text} = answer
  hold(status === (held ? 304 : 200), `the snippet returned ${status}`)
  return held ?? {tag: headers.etag ?? '', text}
}

/** A script for pages without `eval`. It may be gone if the tool was republished in the meantime. */
async function getModule(ground: Ground, client: Client, site: number, config: string): Promise<void> {
  const {tools} = recordOf(JSON.parse(config))
  const [tool] = Array.isArray(tools) ? tools.map(recordOf) : []
  if (!tool) return
  const script = String(tool.executeJs)
  const url = `/api/sites/${publicIdOf(site)}/tools/${tool.id}/${hash('sha256', script)}.js`
  const answer = await client.get(url)
  count(ground, 'module', answer)
  const number = Number(/text (\d+)/.exec(script)?.[1])
  const isOld = !ground.ledger.isNewest(site, String(tool.name), number)
  hold(answer.status === 200 || (answer.status === 404 && isOld), `${url} returned ${answer.status}`)
  if (answer.status === 200) hold(answer.text.includes(`text ${number}"`), `${url} is ${answer.text}`)
}

/** A client that makes up public IDs: gets 404, 429 when rate-limited, or 500 during an outage. */
export async function makeUp(
  ground: Ground,
  random: Random,
  {localAddress, every, isLimited}: {localAddress: string; every: number; isLimited: boolean},
): Promise<void> {
  const {outages, signal} = ground
  const client = new Client(ground.serviceAddress, localAddress)
  try {
    for (;;) {
      await pause(random, every, signal)
      const answer = await client.get(`/api/sites/made-up-${Math.floor(random.next() * 1e12)}/config?path=/`)
      count(ground, isLimited ? 'made up, too often' : 'made up', answer)
      const {status, headers, text} = answer
      const {code} = recordOf(recordOf(JSON.parse(text)).error)
      const told = `a made-up ID returned ${status} ${text}, Retry-After: ${headers['retry-after']}`
      if (status === 404) hold(code === 'NOT_FOUND', told)
      else if (status === 429)
        hold(isLimited && code === 'RATE_LIMITED' && headers['retry-after'] !== undefined, told)
      else {
        hold(status === 500 && code === 'INTERNAL_ERROR' && headers['retry-after'] !== undefined, told)
        hold(outages.excuse(Date.now()) !== undefined, `${told}, while the lake worked`)
      }
    }
  } finally {
    client.close()
  }
}
