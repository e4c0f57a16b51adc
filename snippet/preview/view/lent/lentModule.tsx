import type {ComponentChildren} from 'preact'
import {useEffect, useRef, useState} from 'preact/hooks'
import {LENT, type Lent} from '../../lent/lent.ts'

/** A part of the panel whose module is loaded when it is first needed. */
export function LentModule<View>({
  isNeeded,
  address,
  children,
}: {
  isNeeded: boolean
  /** Of the module, with its hash, so that a stale copy in a cache is never used. */
  address: string
  children: (view: View) => ComponentChildren
}) {
  const [loaded, setLoaded] = useState<{view: View} | 'failed'>()
  const attempts = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same module each time.
  useEffect(() => {
    if (!isNeeded || loaded) return
    attempts.current += 1
    // Browsers do not request a module that failed to load once more.
    load<View>(`${address}-${attempts.current}`).then(
      (view) => setLoaded({view}),
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
  return <>{children(loaded.view)}</>
}

async function load<View>(address: string): Promise<View> {
  const module: {view(lent: Lent): View} = await import(address)
  return module.view(LENT)
}
