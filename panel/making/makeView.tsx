import type {ComponentChildren} from 'preact'
import {useState} from 'preact/hooks'
import {ListMode} from './list/listMode.tsx'
import type {MakeProps} from './makeProps.ts'
import {PickMode} from './pick/pickMode.tsx'
import {RecordMode} from './record/recordMode.tsx'
import {RequestTool} from './record/requestTool.tsx'
import {useRecording} from './record/useRecording.ts'

const MODES = [
  ['list', 'On this page'],
  ['record', 'Record'],
  ['pick', 'Pick'],
] as const
type Mode = (typeof MODES)[number][0]

/** What a person shows for the field that Studio opened the page for. */
const WANTED = {
  record: 'show its request.',
  pick: 'show what it reads.',
  form: 'choose its form.',
  link: 'go to the page that it opens.',
} as const

/** The content of the tab “Make a tool”: three ways, each of which keeps what was chosen in it. */
export function MakeView(props: MakeProps): ComponentChildren {
  const {panel, isShown} = props
  const {wanted} = panel
  const [chosen, setChosen] = useState<Mode>('list')
  const mode = wanted?.mode === 'form' ? 'list' : (wanted?.mode ?? chosen)
  const recorder = useRecording(panel.base, isShown && (mode === 'list' || mode === 'record'))
  return (
    <div class="make">
      {wanted ? (
        <p class="note">
          For the tool “{wanted.name}”: {WANTED[wanted.mode]}{' '}
          <button type="button" onClick={() => panel.forgetWanted()}>
            Make a new tool instead
          </button>
        </p>
      ) : (
        <fieldset class="modes" aria-label="How to make the tool">
          {MODES.map(([name, title]) => (
            <button key={name} type="button" aria-pressed={name === mode} onClick={() => setChosen(name)}>
              {title}
            </button>
          ))}
        </fieldset>
      )}
      <div hidden={mode !== 'list'}>
        <ListMode {...props} recorder={recorder} isShown={isShown && mode === 'list'} />
      </div>
      <div hidden={mode !== 'record'}>
        <RecordMode {...props} recorder={recorder} isShown={isShown && mode === 'record'} />
      </div>
      <div hidden={mode !== 'pick'}>
        <PickMode {...props} isShown={isShown && mode === 'pick'} />
      </div>
      {mode === 'link' && (
        <RequestTool key={location.href} {...props} exchange={{method: 'GET', address: addressOfPage()}} />
      )}
    </div>
  )
}

function addressOfPage(): string {
  return location.href.replace(/#.*/, '')
}
