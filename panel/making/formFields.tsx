import {controlsOf, fieldLabelOf} from '../forms/controls.ts'
import type {PageForm} from '../forms/pageForms.ts'
import {textsFor} from './list/formTool.ts'
import type {Words} from './list/proposals.ts'

/** The selector of a form, and what agents read about its fields. */
export function FormFields(props: {form: PageForm; words: Words; changeWords: (words: Words) => void}) {
  const {form, words, changeWords} = props
  const {element, selector} = form
  const {texts = textsFor(form)} = words
  const groups = [...Map.groupBy(controlsOf(element), ({name}) => name)]
  return (
    <>
      <code class="selector">{selector}</code>
      <fieldset>
        <legend>What agents read about the fields</legend>
        {groups.map(([name, [first]]) => (
          <div key={name} class="field">
            <label for={`describe-${selector}-${name}`}>{first ? fieldLabelOf(first) : name}</label>
            <input
              id={`describe-${selector}-${name}`}
              value={texts[name] ?? ''}
              placeholder="Only if the label does not say enough"
              onInput={({currentTarget: {value}}) =>
                changeWords({...words, texts: {...texts, [name]: value}})
              }
            />
          </div>
        ))}
      </fieldset>
    </>
  )
}
