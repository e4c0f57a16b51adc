/** Milliseconds for which an element is framed. */
const DURATION = 3_000

const MARGIN = 6

/** Scrolls to an element of the page and frames it for a moment. The element itself stays unchanged. */
export function highlight(element: Element): void {
  element.scrollIntoView({block: 'center'})
  const frame = document.createElement('handrail-frame')
  const root = frame.attachShadow({mode: 'open'})
  const box = root.appendChild(document.createElement('div'))
  Object.assign(box.style, {
    position: 'fixed',
    zIndex: '2147483646',
    border: '3px solid #d4380d',
    borderRadius: '6px',
    pointerEvents: 'none',
  })
  document.documentElement.append(frame)
  const until = performance.now() + DURATION
  const follow = () => {
    const {left, top, width, height} = element.getBoundingClientRect()
    Object.assign(box.style, {
      left: `${left - MARGIN}px`,
      top: `${top - MARGIN}px`,
      width: `${width + MARGIN}px`,
      height: `${height + MARGIN}px`,
    })
    if (performance.now() < until && element.isConnected) requestAnimationFrame(follow)
    else frame.remove()
  }
  follow()
}
