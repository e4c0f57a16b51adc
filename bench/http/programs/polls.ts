import {Agent, get} from 'node:http'
import {setTimeout} from 'node:timers/promises'
import {CACHE_STATUS} from '../cdn/edge.ts'
import type {Polled, PollOrder} from '../cdn/polls.ts'
import {templateOf} from '../template.ts'
import {tellParent} from './parent.ts'

/** Interval of the polls of a tab, in seconds: the default `pollInterval`. */
const POLL_EVERY = 300

/** How late a poll may be, in milliseconds: later ones would not be spread as those of visitors. */
const LATEST = 5_000

/** Connections to the location. */
const CONNECTIONS = 64

/** As Chrome sends it. */
const CODINGS = 'gzip, deflate, br, zstd'

const agent = new Agent({keepAlive: true, maxSockets: CONNECTIONS})

/** Entity tags by path: a tab has been open for a while and sends the tag of its last response. */
const tags = new Map<string, string>()

/** Lets all tabs poll. Rejects at the first response that is not a config. */
async function carryOut({address, groups, warmUp, seconds}: PollOrder): Promise<Polled[]> {
  const polled = groups.map(() => ({polls: 0, hits: 0}))
  const paths = groups.map(({path}) => templateOf(path))
  const due = pollsOf(groups, warmUp + seconds)
  const began = performance.now()
  const pending: Promise<void>[] = []
  let failure: unknown
  for (const {at, group, page} of due) {
    const wait = began + at * 1_000 - performance.now()
    if (wait > 1) await setTimeout(wait)
    if (failure !== undefined) throw failure
    if (wait < -LATEST) throw new Error('This machine is too busy to poll in time.')
    const path = paths[group]?.(page) ?? ''
    const isCounted = at >= warmUp
    const counted = polled[group]
    const one = pollOnce(address, path).then(
      (isHit) => {
        if (!isCounted || !counted) return
        counted.polls++
        if (isHit) counted.hits++
      },
      (error: unknown) => {
        failure ??= error
      },
    )
    if (at > warmUp + seconds - 1) pending.push(one)
  }
  await Promise.all(pending)
  if (failure !== undefined) throw failure
  return polled
}

/** The polls of all tabs in this many seconds, in order: each tab has a random phase. */
function pollsOf(groups: PollOrder['groups'], seconds: number) {
  return groups
    .flatMap(({pages, each}, group) =>
      Array.from({length: pages * each}, (_, tab) => ({
        at: Math.random() * POLL_EVERY,
        group,
        page: tab % pages,
      })).filter(({at}) => at < seconds),
    )
    .sort((one, other) => one.at - other.at)
}

/** @returns whether the location had the config. */
function pollOnce(address: string, path: string): Promise<boolean> {
  const tag = tags.get(path)
  const headers = {'accept-encoding': CODINGS, ...(tag === undefined ? {} : {'if-none-match': tag})}
  return new Promise((resolve, reject) => {
    get(address + path, {agent, headers}, (response) => {
      const {statusCode = 0} = response
      if (statusCode !== 200 && statusCode !== 304) reject(new Error(`${path} returns ${statusCode}`))
      if (response.headers.etag !== undefined) tags.set(path, response.headers.etag)
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve(response.headers[CACHE_STATUS] === 'HIT'))
    }).on('error', reject)
  })
}

process.on('message', ({question}: {question: PollOrder}) => {
  carryOut(question).then(tellParent, (error: unknown) => tellParent(String(error)))
})
tellParent('ready')
