const LINE = '3px solid #d4380d'
const TINT = 'inset 0 0 0 100vmax rgb(212 56 13 / 0.12)'

/** Milliseconds for which an element is framed. */
const DURATION = 3_000

/** Frames an element of the page. Its attributes and rules stay as they are. Returns what ends it. */
export function frame(element: Element, duration = Infinity): () => void {
  const shown = element.animate(
    {outline: [LINE, LINE], outlineOffset: ['-3px', '-3px'], boxShadow: [TINT, TINT]},
    duration,
  )
  return () => shown.cancel()
}

/** Scrolls to an element of the page and frames it for a moment. */
export function highlight(element: Element): void {
  element.scrollIntoView({block: 'center'})
  frame(element, DURATION)
}
