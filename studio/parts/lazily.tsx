import {Flex, Spinner} from '@sanity/ui'
import {type ComponentType, lazy, Suspense} from 'react'

/** A component that is loaded when it is shown for the first time, so that Studio starts sooner. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded = lazy(async () => ({default: await load()}))
  return function Lazily(props: P) {
    return (
      <Suspense fallback={<Waiting />}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

/** Something is being loaded. */
export function Waiting() {
  return (
    <Flex align="center" aria-label="Loading" justify="center" padding={5} role="status">
      <Spinner muted />
    </Flex>
  )
}
