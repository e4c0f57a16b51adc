import type {MadeTool} from '../../../making/studioLink.ts'
import {controlsOf, fieldLabelOf} from '../../forms/controls.ts'
import type {PageForm} from '../../forms/pageForms.ts'
import {Handover, type Words} from '../handover.tsx'
import type {MakeProps} from '../makeProps.ts'
import {formToolOf, textsFor} from './formTool.ts'

/** Makes a form tool: its selector, and what agents read about its fields. */
export function FormFields(
  props: MakeProps & {
    form: PageForm
    words: Words
    changeWords: (words: Words) => void
    missing: string | undefined
    handed: (draft: MadeTool, link: string) => void
  },
) {
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
      <Handover {...props} {...formToolOf(form, texts)} />
    </>
  )
}
