/**
 * A storage of the browser, which may be forbidden or full: what it does not take is kept until the page is left.
 * @param storage throws if it is forbidden
 */
export function guarded(storage: () => Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem(key) {
      try {
        return kept.get(key) ?? storage().getItem(key)
      } catch {
        return null
      }
    },
    setItem(key, value) {
      try {
        storage().setItem(key, value)
        kept.delete(key)
      } catch {
        kept.set(key, value)
      }
    },
    removeItem(key) {
      kept.delete(key)
      try {
        storage().removeItem(key)
      } catch {
        // It has nothing.
      }
    },
  }
}

/** Of this browser: all tabs with Studio share it. */
export const browserItems = guarded(() => localStorage)

/** Of this tab. */
export const tabItems = guarded(() => sessionStorage)
