import {Waiting} from '../parts/lazily.tsx'
import {Note} from '../parts/note.tsx'

/** Stands in place of what is not loaded yet, or cannot be loaded. */
export function NotLoaded({of}: {of: {state: 'waiting'} | {state: 'failed'; problem: string}}) {
  return of.state === 'waiting' ? <Waiting /> : <Note tone="critical">{of.problem}</Note>
}
