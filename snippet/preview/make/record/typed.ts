/** The texts that were typed last, the newest first. */
const MAX_TYPED = 30

/** Fields whose texts are nothing that a tool asks for. */
const PRIVATE = '[type=password], [type=hidden], [type=file], [autocomplete^=cc-], [autocomplete*=password]'

/**
 * Remembers what a person types into the fields of the page, in the memory of the tab.
 * @returns what was typed, and what is in the fields now; and a function that ends it
 */
export function watchTyped(): {typed: () => string[]; end: () => void} {
  let typed: string[] = []
  const noted = ({target}: Event) => {
    const value = typedIn(target)
    if (value !== '') typed = [value, ...typed.filter((one) => one !== value)].slice(0, MAX_TYPED)
  }
  const end = new AbortController()
  for (const type of ['input', 'change'])
    addEventListener(type, noted, {capture: true, passive: true, signal: end.signal})
  return {
    typed: () => [...typed, ...[...document.querySelectorAll('input, select, textarea')].map(typedIn)],
    end: () => end.abort(),
  }
}

function typedIn(target: EventTarget | null): string {
  const isField =
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  if (!isField || target.matches(PRIVATE)) return ''
  const isUnchecked =
    target instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(target.type) && !target.checked
  return isUnchecked ? '' : target.value.trim()
}
