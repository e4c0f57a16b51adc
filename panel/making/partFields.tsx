import {useState} from 'preact/hooks'
import {ADDRESS} from '../../actions/run/html/tables.ts'
import type {ProposedField, ProposedPart} from '../../making/picked.ts'
import {Tick} from '../parts/tick.tsx'
import {headingsOf, readPart} from './run.ts'

/** What parts are, for people. */
export const PART_KINDS: Readonly<Record<ProposedPart['kind'], string>> = {
  table: 'Table',
  items: 'Entries with fields',
  list: 'List',
  definitions: 'Definition list',
  links: 'Links',
  text: 'Text',
}

/** Characters of a text that shows what a field is. */
const LONGEST_EXAMPLE = 60

const FIELD_KINDS: Readonly<Record<ProposedField['kind'], string>> = {
  text: 'Text',
  address: 'Where the link leads',
  attribute: 'Attribute',
}

/** What a part is, and what of it agents get. */
export function PartFields(props: {
  choices: readonly ProposedPart[]
  part: ProposedPart
  change: (part: ProposedPart) => void
  remove: (() => void) | undefined
}) {
  const {choices, part, change, remove} = props
  const headings = headingsOf(part)
  const usual = headings.filter((heading) => !heading.endsWith(ADDRESS))
  const columns = part.columns ?? usual
  const {fields = [], same = []} = part
  /** With those that are not ticked. */
  const [kept, setKept] = useState([...fields, ...same])
  const [first]: unknown[] = kept.length > 0 ? [readPart({...part, fields: kept})].flat() : []
  const exampleOf = ({name}: ProposedField) => String(Object(first)[name] ?? '').slice(0, LONGEST_EXAMPLE)
  return (
    <fieldset>
      <legend>{part.name || 'Part'}</legend>
      <div class="input">
        <select
          aria-label="What it is"
          value={`${part.kind} ${part.selector}`}
          onChange={({currentTarget}) => {
            const chosen = choices.find(({kind, selector}) => `${kind} ${selector}` === currentTarget.value)
            if (!chosen) return
            setKept([...(chosen.fields ?? []), ...(chosen.same ?? [])])
            change({...chosen, name: part.name})
          }}
        >
          {choices.map(({kind, selector}) => (
            <option key={`${kind} ${selector}`} value={`${kind} ${selector}`}>
              {PART_KINDS[kind]} ({selector})
            </option>
          ))}
        </select>
        <input
          aria-label="Name for agents"
          value={part.name}
          spellcheck={false}
          onInput={({currentTarget}) => change({...part, name: currentTarget.value})}
        />
        {remove && (
          <button type="button" onClick={remove}>
            Remove
          </button>
        )}
      </div>
      {headings.map((heading) => (
        <div key={heading}>
          <Tick
            isTicked={columns.includes(heading)}
            tick={(isTicked) => {
              const kept = headings.filter((one) => (one === heading ? isTicked : columns.includes(one)))
              const {columns: _, ...whole} = part
              change(kept.join() === usual.join() ? whole : {...part, columns: kept})
            }}
          >
            {heading}
          </Tick>
        </div>
      ))}
      {kept.map((field) => (
        <div key={field.selector + field.kind}>
          <Tick
            isTicked={fields.includes(field)}
            tick={(isTicked) => {
              const ticked = kept.filter((one) => (one === field ? isTicked : fields.includes(one)))
              change({...part, fields: ticked})
            }}
          >
            {FIELD_KINDS[field.kind]} <small>{exampleOf(field)}</small>
          </Tick>{' '}
          <input
            aria-label={`Name of ${field.name}`}
            value={field.name}
            spellcheck={false}
            onInput={({currentTarget}) => {
              const named = {...field, name: currentTarget.value}
              setKept(kept.map((one) => (one === field ? named : one)))
              change({...part, fields: fields.map((one) => (one === field ? named : one))})
            }}
          />
        </div>
      ))}
    </fieldset>
  )
}
