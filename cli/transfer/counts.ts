import {counted, grouped} from '../../common/text/counted.ts'

/** What became of the documents of a transfer. */
export type Counts = {
  readonly created: number
  readonly replaced: number
  readonly kept: number
  readonly unchanged: number
}

/** Such as `Imported 3 documents from x into y: 1 new, 2 replaced, 0 kept, 5 unchanged`. */
export function describeCounts(done: string, places: string, counts: Counts): string {
  const {created, replaced, kept, unchanged} = counts
  return `${done} ${counted(created + replaced, 'document')} ${places}: ${grouped(created)} new, ${grouped(replaced)} replaced, ${grouped(kept)} kept, ${grouped(unchanged)} unchanged`
}
