import {useEffect, useMemo, useState} from 'preact/hooks'
import {record} from '../../traffic/recorder.ts'
import {Exchanges} from './exchanges.ts'
import {watchTimeline} from './timeline.ts'
import {type Typed, watchTyped} from './typed.ts'

/** The requests of the page, and what a person typed into it. */
export type Recorder = {readonly exchanges: Exchanges; readonly typed: Typed | undefined}

/** Records what the page asks servers for, while this is needed. @param base of the service, which is left out */
export function useRecording(base: string, isNeeded: boolean): Recorder {
  const [, setVersion] = useState(0)
  const exchanges = useMemo(() => new Exchanges(() => setVersion((version) => version + 1)), [])
  const [typed, setTyped] = useState<Typed>()
  useEffect(() => {
    if (!isNeeded) return
    const watching = watchTyped()
    setTyped(watching.typed)
    const isOwn = (address: string) => address.startsWith(base)
    const end = record(exchanges, isOwn)
    const endTimeline = watchTimeline(exchanges, isOwn)
    return () => {
      end()
      endTimeline()
      watching.end()
    }
  }, [isNeeded, base, exchanges])
  return {exchanges, typed}
}
