/** A storage of the browser. What it has no room for is not kept. */
function withoutErrors(storage: () => Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  return {
    getItem: (key) => storage().getItem(key),
    setItem(key, value) {
      try {
        storage().setItem(key, value)
      } catch {
        // It is full.
      }
    },
    removeItem: (key) => storage().removeItem(key),
  }
}

/** Of this browser: all tabs with Studio share it. */
export const browserItems = withoutErrors(() => localStorage)

/** Of this tab. */
export const tabItems = withoutErrors(() => sessionStorage)
