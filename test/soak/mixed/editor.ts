import {setTimeout} from 'node:timers/promises'
import {send} from '../api.ts'
import type {Random} from '../random.ts'
import {hold} from '../violation.ts'
import {Client} from './client.ts'
import {type Ground, pause} from './ground.ts'
import {fieldsOf, names, paths, publicIdOf, SITES} from './ledger.ts'

/** An editor who publishes 1.5 times a second and measures when each change is visible. */
export async function publish(ground: Ground, random: Random): Promise<void> {
  const {ledger, counts, lakeAddress, signal} = ground
  const client = new Client(ground.serviceAddress, '127.0.3.1')
  const looks = new Set<Promise<void>>()
  const failed = Promise.withResolvers<never>()
  try {
    for (;;) {
      await Promise.race([pause(random, 650, signal), failed.promise])
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
      hold(status === 200, `a publish returned ${status}: ${JSON.stringify(body)}`)
      acknowledge()
      counts.publishes++
      const look = lookFor(ground, client, {site, name, number})
        .catch(failed.reject)
        .finally(() => looks.delete(look))
      looks.add(look)
    }
  } finally {
    await Promise.all(looks)
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
    hold(status === 200, `a published site returned ${status}`)
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

/**
 * Checks that every config is the newest one after all outages and publishes have ended.
 * @throws Violation
 */
export async function checkNewest({ledger, outages, serviceAddress}: Ground): Promise<void> {
  const client = new Client(serviceAddress, '127.0.3.1')
  const deadline = outages.deadline(Date.now())
  try {
    for (let site = 0; site < SITES; site++) {
      for (const path of paths) {
        for (;;) {
          const {text} = await client.get(`/api/sites/${publicIdOf(site)}/config?path=${path}`)
          const old = [...ledger.read(site, path, text)].filter(
            ([name, found]) => !ledger.isNewest(site, name, found),
          )
          if (old.length === 0) break
          hold(Date.now() < deadline, `${publicIdOf(site)}${path} still has ${old.join(' and ')} at the end`)
          await setTimeout(100)
        }
      }
    }
  } finally {
    client.close()
  }
}
