const MARGIN = 3

/** A frame around an element of the page, which stays unchanged. */
export function createFrame(style: Partial<CSSStyleDeclaration>) {
  const host = document.createElement('handrail-frame')
  const box = host.attachShadow({mode: 'open'}).appendChild(document.createElement('div'))
  Object.assign(box.style, {
    position: 'fixed',
    zIndex: '2147483646',
    outline: '3px solid #d4380d',
    pointerEvents: 'none',
    ...style,
  })
  document.documentElement.append(host)
  return {
    surround(element: Element): void {
      const {left, top, width, height} = element.getBoundingClientRect()
      Object.assign(box.style, {
        left: `${left - MARGIN}px`,
        top: `${top - MARGIN}px`,
        width: `${width + 2 * MARGIN}px`,
        height: `${height + 2 * MARGIN}px`,
      })
    },
    remove(): void {
      host.remove()
    },
  }
}

/** Milliseconds for which an element is framed. */
const DURATION = 3_000

/** Scrolls to an element of the page and frames it for a moment. */
export function highlight(element: Element): void {
  element.scrollIntoView({block: 'center'})
  const frame = createFrame({borderRadius: '6px'})
  const until = performance.now() + DURATION
  const follow = () => {
    frame.surround(element)
    if (performance.now() < until && element.isConnected) requestAnimationFrame(follow)
    else frame.remove()
  }
  follow()
}
