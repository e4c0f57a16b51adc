import type {ComponentChildren} from 'preact'
import {useRef} from 'preact/hooks'

export type Tab = {id: string; title: string; count?: number; view: ComponentChildren}

/** Tabs by the pattern of https://www.w3.org/WAI/ARIA/apg/patterns/tabs/. All views stay, so that what was typed does. */
export function Tabs({tabs, chosen, choose}: {tabs: Tab[]; chosen: string; choose: (id: string) => void}) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({id}) => id === chosen)
    const steps: Record<string, number> = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1}
    const next = tabs.at((steps[event.key] ?? Number.NaN) % tabs.length)
    if (!(event.key in steps) || !next) return
    event.preventDefault()
    choose(next.id)
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }
  return (
    <>
      <div role="tablist" aria-label="What the panel shows" ref={list} onKeyDown={move}>
        {tabs.map(({id, title, count}) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-controls={`view-${id}`}
            aria-selected={id === chosen}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title} {count !== undefined && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      {tabs.map(({id, view}) => (
        <div key={id} role="tabpanel" id={`view-${id}`} aria-labelledby={`tab-${id}`} hidden={id !== chosen}>
          {view}
        </div>
      ))}
    </>
  )
}
