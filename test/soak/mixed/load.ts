import {hash} from 'node:crypto'
import type {Socket} from 'node:net'
import {setTimeout} from 'node:timers/promises'
import {recordOf} from '../../support/answers.ts'
import {connectFrom} from '../../support/client.ts'
import {parseExposition} from '../../support/metrics.ts'
import {send} from '../api.ts'
import type {Random} from '../random.ts'
import {hold} from '../violation.ts'
import {type Answer, Client} from './client.ts'
import {fieldsOf, type Ledger, names, paths, publicIdOf, SITES, type Texts} from './ledger.ts'
import type {Outages} from './outages.ts'

/** What was asked and answered. */
export type Counts = {
  /** Answers by kind of request and status. */
  answers: Map<string, number>
  /** Milliseconds of answers for known sites, at most. */
  slowest: number
  publishes: number
  /** Milliseconds from acknowledgement to sight: while all was well, and around outages. */
  seen: number[]
  seenInOutages: number[]
  idleConnections: number
}

export type Ground = {
  serviceAddress: string
  lakeAddress: string
  ledger: Ledger
  outages: Outages
  counts: Counts
  signal: AbortSignal
}

/** Milliseconds between two requests of a visitor, about: 32 of them ask 200 times a second. */
const VISITOR_PAUSE = 150

/** What browsers and programs accept. */
const codings = ['gzip, deflate, br, zstd', 'gzip, deflate', 'identity']

/** How a flood of connections is made: beyond what one client may have (docs/operations.md). */
const FLOOD = 1_200

/** Waits about so long. */
function pause(random: Random, milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(random.between(milliseconds / 2, milliseconds * 1.5), undefined, {signal})
}

function count({counts: {answers}}: Ground, kind: string, {status}: Answer): void {
  const key = `${kind} ${status}`
  answers.set(key, (answers.get(key) ?? 0) + 1)
}

/** Somebody who has pages of several sites open: 200 or 304, whatever happens. */
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
      hold(status === 200 || (status === 304 && copy !== undefined), `${url} was answered ${status}: ${text}`)
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
  hold(status === (held ? 304 : 200), `the snippet was answered ${status}`)
  return held ?? {tag: headers.etag ?? '', text}
}

/** A script as pages without `eval` get it. It may be gone where the tool was published anew meanwhile. */
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
  hold(answer.status === 200 || (answer.status === 404 && isOld), `${url} was answered ${answer.status}`)
  if (answer.status === 200) hold(answer.text.includes(`text ${number}"`), `${url} is ${answer.text}`)
}

/** Somebody who makes up public identifiers: 404, or 429 where it may not any more; 500 while the lake cannot be asked. */
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
      const told = `a made-up identifier was answered ${status} ${text}, Retry-After: ${headers['retry-after']}`
      if (status === 404) hold(code === 'NOT_FOUND', told)
      else if (status === 429)
        hold(isLimited && code === 'RATE_LIMITED' && headers['retry-after'] !== undefined, told)
      else {
        hold(status === 500 && code === 'INTERNAL_ERROR' && headers['retry-after'] !== undefined, told)
        hold(outages.excuse(Date.now()) !== undefined, `${told}, while the lake was well`)
      }
    }
  } finally {
    client.close()
  }
}

/** An editor who publishes one and a half times a second, and looks when each shows. */
export async function publish(ground: Ground, random: Random): Promise<void> {
  const {ledger, counts, lakeAddress, signal} = ground
  const client = new Client(ground.serviceAddress, '127.0.3.1')
  const looking = new Set<Promise<void>>()
  try {
    for (;;) {
      await pause(random, 650, signal)
      const site = random.between(0, SITES - 1)
      const name = random.pick(names)
      const {id, number, acknowledge} = ledger.publish(site, name)
      const set = fieldsOf(name, number)
      const pair = {draftId: `drafts.${id}`, publishedId: id}
      const {status, body} = random.chance(0.5)
        ? await send(lakeAddress, 'mutate', {mutations: [{patch: {id, set}}]})
        : await send(lakeAddress, 'actions', {
            actions: [
              {actionType: 'sanity.action.document.edit', ...pair, patch: {set}},
              {actionType: 'sanity.action.document.publish', ...pair},
            ],
          })
      hold(status === 200, `a publish was answered ${status}: ${JSON.stringify(body)}`)
      acknowledge()
      counts.publishes++
      const look = lookFor(ground, client, {site, name, number}).finally(() => looking.delete(look))
      looking.add(look)
      // A failed look ends the whole load.
      if (looking.size > 0) await Promise.race([...looking, setTimeout(0)])
    }
  } finally {
    await Promise.allSettled(looking)
    client.close()
  }
}

async function lookFor(
  {ledger, outages, counts, signal}: Ground,
  client: Client,
  {site, name, number}: {site: number; name: string; number: number},
): Promise<void> {
  const path = name === 'shopping' ? '/shop/shoes' : '/contact'
  const acknowledged = Date.now()
  for (let wait = 10; !signal.aborted; wait = Math.min(500, wait * 1.5)) {
    const {status, text} = await client.get(`/api/sites/${publicIdOf(site)}/config?path=${path}`)
    hold(status === 200, `a published site was answered ${status}`)
    const now = Date.now()
    const found = ledger.read(site, path, text).get(name) ?? Number.NaN
    if (ledger.editionOf(site, name, found) >= number) {
      const times = outages.excuse(acknowledged) || outages.excuse(now) ? counts.seenInOutages : counts.seen
      times.push(now - acknowledged)
      return
    }
    const told = `edition ${number} of ${name}-${site} does not show after ${now - acknowledged} ms`
    hold(now <= outages.deadline(acknowledged), told)
    await setTimeout(wait)
  }
}

/** Opens more connections than a client may have, now and then, and says nothing over them. */
export async function floodConnections(ground: Ground, random: Random): Promise<void> {
  const {serviceAddress, counts, signal} = ground
  for (;;) {
    await pause(random, 90_000, signal)
    const sockets: Socket[] = []
    try {
      for (let made = 0; made < FLOOD; made += 50) {
        const some = Array.from({length: 50}, () => connectFrom('127.0.2.1', serviceAddress))
        for (const connected of await Promise.allSettled(some))
          if (connected.status === 'fulfilled') sockets.push(connected.value)
        await setTimeout(20, undefined, {signal})
      }
      counts.idleConnections += sockets.length
      await setTimeout(random.between(2_000, 10_000), undefined, {signal})
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  }
}

/** A monitor: numbers, and whether the processes are well. */
export async function monitor(ground: Ground): Promise<void> {
  const service = new Client(ground.serviceAddress, '127.0.0.1')
  const lake = new Client(ground.lakeAddress, '127.0.0.1')
  try {
    for (;;) {
      for (const [kind, client] of Object.entries({service, lake})) {
        for (const path of ['/metrics', '/readyz', '/healthz']) {
          const answer = await client.get(path)
          count(ground, `${kind}${path}`, answer)
          hold(answer.status === 200, `${path} of the ${kind} was answered ${answer.status}: ${answer.text}`)
          if (path === '/metrics') parseExposition(answer.text)
        }
      }
      await setTimeout(5_000, undefined, {signal: ground.signal})
    }
  } finally {
    service.close()
    lake.close()
  }
}
