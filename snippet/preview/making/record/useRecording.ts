import {useEffect, useMemo, useRef, useState} from 'preact/hooks'
import {record} from '../../traffic/recorder.ts'
import {Exchanges} from './exchanges.ts'
import {placeInPage} from './pageValues.ts'
import {watchForms} from './searches.ts'
import {watchTimeline} from './timeline.ts'
import {type Typed, watchTyped} from './typed.ts'

/** The requests of the page, and what a person typed into it. */
export type Recorder = {readonly exchanges: Exchanges; readonly typed: Typed | undefined}

/** Milliseconds after which new requests are shown: some pages send hundreds. */
const SHOWN_AFTER = 250

/** Records what the page asks servers for, while this is needed. @param base of the service, which is left out */
export function useRecording(base: string, isNeeded: boolean): Recorder {
  const [, setVersion] = useState(0)
  const [typed, setTyped] = useState<Typed>()
  const typedNow = useRef<Typed>(undefined)
  const exchanges = useMemo(() => {
    const isTyped = (value: string) =>
      [...(typedNow.current?.texts() ?? []), ...(typedNow.current?.secrets() ?? [])].includes(value)
    const placeOf = (value: string) => (isTyped(value) ? undefined : placeInPage(value))
    let isAnnounced = false
    const announce = () => {
      isAnnounced = false
      setVersion((version) => version + 1)
    }
    return new Exchanges(
      () => {
        if (!isAnnounced) setTimeout(announce, SHOWN_AFTER)
        isAnnounced = true
      },
      placeOf,
      () => typedNow.current?.pressed() ?? '',
    )
  }, [])
  useEffect(() => {
    if (!isNeeded) return
    const watching = watchTyped()
    typedNow.current = watching.typed
    setTyped(watching.typed)
    const isOwn = (address: string) => address.startsWith(base)
    const end = record(exchanges, isOwn)
    const endTimeline = watchTimeline(exchanges, isOwn)
    const endForms = watchForms(watching.typed)
    return () => {
      end()
      endTimeline()
      endForms()
      watching.end()
    }
  }, [isNeeded, base, exchanges])
  return {exchanges, typed}
}
