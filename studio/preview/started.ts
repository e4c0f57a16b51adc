import {RecentEntries} from './recentEntries.ts'

/**
 * The previews that were started in this browser, which are renewed: a tab with Studio that is never closed must not keep a
 * link valid.
 */
export const startedPreviews = new RecentEntries('handrail.previews', ({id}) =>
  typeof id === 'string' ? {id} : undefined,
)
