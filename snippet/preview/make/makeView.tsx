import type {ComponentChildren} from 'preact'
import {useEffect, useRef, useState} from 'preact/hooks'
import type {MakeProps} from '../lent/lending.ts'
import {FormMode} from './formMode.tsx'
import css from './make.css'
import {PickMode} from './pick/pickMode.tsx'
import {RecordMode} from './record/recordMode.tsx'

const MODES = {
  record: 'Record',
  pick: 'Pick',
  form: 'Form',
} as const
type Mode = keyof typeof MODES

const MODE_NAMES: readonly Mode[] = ['record', 'pick', 'form']

/** The content of the tab “Make a tool”: three ways, each of which keeps what was chosen in it. */
export function MakeView(props: MakeProps): ComponentChildren {
  const [mode, setMode] = useState<Mode>('record')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const root = place.current?.getRootNode()
    if (!(root instanceof ShadowRoot)) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }, [])
  return (
    <div ref={place} class="make">
      <fieldset class="modes" aria-label="How to make the tool">
        {MODE_NAMES.map((name) => (
          <button key={name} type="button" aria-pressed={name === mode} onClick={() => setMode(name)}>
            {MODES[name]}
          </button>
        ))}
      </fieldset>
      <div hidden={mode !== 'record'}>
        <RecordMode {...props} isShown={props.isShown && mode === 'record'} />
      </div>
      <div hidden={mode !== 'pick'}>
        <PickMode {...props} isShown={props.isShown && mode === 'pick'} />
      </div>
      <div hidden={mode !== 'form'}>
        <FormMode {...props} isShown={props.isShown && mode === 'form'} />
      </div>
    </div>
  )
}
