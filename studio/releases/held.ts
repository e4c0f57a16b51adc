import type {SanityClient} from '@sanity/client'

/** A scheduled release that holds a document. */
export type Holder = {readonly title: string; readonly publishAt: string}

const SCHEDULED =
  '*[_type == "system.release" && state == "scheduled"] | order(publishAt) {name, publishAt, "title": coalesce(metadata.title, name)}'

/** The scheduled releases that hold a document, the next first; undefined: none does. */
export async function holdersOf(
  client: Pick<SanityClient, 'fetch'>,
  id: string,
): Promise<readonly Holder[] | undefined> {
  const inAll = {perspective: 'raw'} as const
  const releases = await client.fetch<(Holder & {name: string})[]>(SCHEDULED, {}, inAll)
  if (releases.length === 0) return undefined
  const versionIn = (name: string) => `versions.${name}.${id}`
  const ids = releases.map(({name}) => versionIn(name))
  const held = await client.fetch<string[]>('*[_id in $ids]._id', {ids}, inAll)
  const holding = releases.filter(({name}) => held.includes(versionIn(name)))
  return holding.length === 0 ? undefined : holding
}
