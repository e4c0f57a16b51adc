import type {ComponentChildren} from 'preact'
import {useEffect, useRef, useState} from 'preact/hooks'

/** A part of the panel whose module is loaded when it is first needed. */
export function LentModule<M>({
  isNeeded,
  load,
  children,
}: {
  isNeeded: boolean
  /** @param attempt browsers do not request a module that failed to load once more: it is a part of the address */
  load: (attempt: number) => Promise<M>
  children: (module: M) => ComponentChildren
}) {
  const [loaded, setLoaded] = useState<{module: M} | 'failed'>()
  const attempts = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same module each time.
  useEffect(() => {
    if (!isNeeded || loaded) return
    attempts.current += 1
    load(attempts.current).then(
      (module) => setLoaded({module}),
      () => setLoaded('failed'),
    )
  }, [isNeeded, loaded])
  if (loaded === undefined) return <p class="empty">Loading…</p>
  if (loaded === 'failed')
    return (
      <p role="alert">
        The service did not send this part of the panel.{' '}
        <button type="button" onClick={() => setLoaded(undefined)}>
          Try again
        </button>
      </p>
    )
  return <>{children(loaded.module)}</>
}
