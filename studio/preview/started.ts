import {type Items, RecentEntries} from './recentEntries.ts'

/** The previews that were started in this browser: a tab with Studio that is never closed must not keep a link valid. */
const previews = new RecentEntries('handrail.previews', ({id}) => (typeof id === 'string' ? {id} : undefined))

/** Remembers a preview. It ends after an hour otherwise. */
export function remember(id: string, storage: Items, now = Date.now()): void {
  previews.add({id}, storage, now)
}

/** The ids of the previews that may be renewed. */
export function rememberedIds(storage: Items, now = Date.now()): string[] {
  return previews.list(storage, now).map(({id}) => id)
}
