/** Calls `moved` after every navigation within the document, and possibly at other times. */
export function followNavigation(moved: () => void): void {
  const {navigation} = window
  if (navigation) {
    navigation.addEventListener('currententrychange', moved)
    return
  }
  addEventListener('popstate', moved)
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = history[method]
    history[method] = function (...args) {
      original.apply(this, args)
      moved()
    }
  }
}

/**
 * Calls `changed` when the page is hidden or shown, including when it enters or leaves the back/forward
 * cache.
 */
export function followVisibility(changed: () => void): void {
  document.addEventListener('visibilitychange', changed)
}
