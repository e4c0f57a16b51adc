import type {ContentDocument} from '../../support/content.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import type {Random} from '../random.ts'
import {hold} from '../violation.ts'
import {Client} from './client.ts'
import {count, type Ground, pause} from './ground.ts'

/** Visitors of all these sites, and the interval between two requests of one, in milliseconds: 80 a second. */
const VISITORS = 8
const VISITOR_PAUSE = 100

const publicIdOf = (number: number) => `crowd-${number}`

/**
 * Many sites of one tool that do not change. They are visited one after the other, so that each of them is in use,
 * and show what a service holds and asks for that has many sites.
 */
export function crowdDocuments(sites: number): ContentDocument[] {
  return Array.from({length: sites}, (_, number) => [
    siteDocument({_id: `crowd-site-${number}`, publicId: publicIdOf(number)}),
    toolDocument({
      _id: `crowd-tool-${number}`,
      site: {_type: 'reference', _ref: `crowd-site-${number}`},
      description: `Belongs to ${publicIdOf(number)}.`,
    }),
  ]).flat()
}

/** Visits every site once. Sites that were never requested have no last known good config. */
export async function enterCrowd(ground: Ground, sites: number): Promise<void> {
  await Promise.all(
    addresses().map(async (localAddress, visitor) => {
      const client = new Client(ground.serviceAddress, localAddress)
      try {
        for (let number = visitor; number < sites; number += VISITORS) await visitOne(ground, client, number)
      } finally {
        client.close()
      }
    }),
  )
}

/** Visitors of all sites in turn. Each of them always gets its own config. */
export function visitCrowd(ground: Ground, random: Random, sites: number): Promise<void>[] {
  return addresses().map(async (localAddress, visitor) => {
    const client = new Client(ground.serviceAddress, localAddress)
    try {
      for (let number = visitor; ; number = (number + VISITORS) % sites) {
        await pause(random, VISITOR_PAUSE, ground.signal)
        await visitOne(ground, client, number)
      }
    } finally {
      client.close()
    }
  })
}

async function visitOne(ground: Ground, client: Client, number: number): Promise<void> {
  const url = `/api/sites/${publicIdOf(number)}/config?path=/`
  const answer = await client.get(url)
  count(ground, 'one of many sites', answer)
  const {status, headers, text, sent} = answer
  hold(
    status === 200 && text.includes(`Belongs to ${publicIdOf(number)}.`),
    `${url} returned ${status}: ${text}`,
  )
  const oldest = ground.outages.oldest(sent)
  hold(
    Number(headers.age) * 1_000 <= oldest + 1_000,
    `${url} has Age ${headers.age}, ${oldest / 1_000} are allowed`,
  )
}

const addresses = () => Array.from({length: VISITORS}, (_, visitor) => `127.0.4.${2 + visitor}`)
