import {render} from 'preact'
import {useState} from 'preact/hooks'
import type {Panel} from '../panel.ts'
import css from './panel.css'
import {PanelView} from './panelView.tsx'

/** A page of 1,440 px makes room for the panel, which is 31 times its text of 14 px; narrower ones would be too narrow. */
const ROOM = `@media screen and (min-width: 90rem) {
  html:has(> handrail-panel[open=right]) { margin-inline-end: 434px }
  html:has(> handrail-panel[open=left]) { margin-inline-start: 434px }
}`

/**
 * Shows the panel on the page, in a shadow root.
 * @returns a function that shows what has changed.
 */
export function mount(panel: Panel): () => void {
  const host = document.createElement('handrail-panel')
  const root = host.attachShadow({mode: 'open'})
  // Neither markup nor style elements: the page's policy need not allow them.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const room = new CSSStyleSheet()
  room.replaceSync(ROOM)
  document.adoptedStyleSheets.push(room)
  const isOpen = () => panel.layout.size === 'open'

  function toggle(): void {
    panel.arrange('size', isOpen() ? 'collapsed' : 'open')
    root.querySelector<HTMLElement>('.toggle')?.focus()
  }

  function draw(): void {
    if (panel.isClosed) {
      host.remove()
      return
    }
    // Some pages replace everything in the document.
    if (!host.isConnected) document.documentElement.append(host)
    if (isOpen()) host.setAttribute('open', panel.layout.place)
    else host.removeAttribute('open')
    if (update) update()
    else render(<Root />, root)
  }

  // Each call of `render` would begin the ids of `useId` at the first once more.
  let update: (() => void) | undefined
  function Root() {
    const [, setVersion] = useState(0)
    update = () => setVersion((version) => version + 1)
    return <PanelView panel={panel} />
  }

  host.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isOpen()) toggle()
    // The page may use single keys as shortcuts.
    if (!isShortcut(event)) event.stopPropagation()
  })
  addEventListener('keydown', (event) => {
    if (!isShortcut(event) || !host.isConnected) return
    event.preventDefault()
    toggle()
  })

  return draw
}

/** By the key's place, because Alt changes the character on some systems. */
function isShortcut({altKey, shiftKey, ctrlKey, metaKey, code}: KeyboardEvent): boolean {
  return altKey && shiftKey && !ctrlKey && !metaKey && code === 'KeyH'
}
