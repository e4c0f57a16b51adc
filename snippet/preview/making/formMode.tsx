import {useEffect, useState} from 'preact/hooks'
import type {PageForm} from '../forms/pageForms.ts'
import {CopyButton, controlsOf, fieldLabelOf, highlight, pageForms} from '../lent/borrowed.ts'
import type {MakeProps} from '../lent/lending.ts'
import {formToolOf, textsFor} from './formTool.ts'
import {Handover} from './handover.tsx'

/** Milliseconds between two looks at the forms of the page. */
const INTERVAL = 1_000

/** The forms of the page, as an editor makes form tools of them. */
export function FormMode(props: MakeProps) {
  const {studio, wanted} = props
  const [forms, setForms] = useState(pageForms)
  const [chosen, setChosen] = useState<string>()
  useEffect(() => {
    if (!props.isShown) return
    setForms(pageForms())
    const timer = setInterval(() => setForms(pageForms()), INTERVAL)
    return () => clearInterval(timer)
  }, [props.isShown])
  if (forms.length === 0) return <p class="empty">This page has no form with fields.</p>
  return (
    <ul class="list">
      {forms.map((form) => (
        <li key={form.selector} data-form={form.selector} class="item">
          <FormItem form={form} />
          {(!form.tool || wanted) && studio && chosen !== form.selector && (
            <button type="button" onClick={() => setChosen(form.selector)}>
              {wanted ? 'Use this form' : 'Make a form tool of this'}
            </button>
          )}
          {chosen === form.selector && <FormToolFields {...props} form={form} />}
        </li>
      ))}
    </ul>
  )
}

function FormItem({form: {heading, fields, button, selector, tool, element}}: {form: PageForm}) {
  return (
    <>
      <strong>{heading || 'Form without a heading'}</strong> {tool && <span class="badge">{tool}</span>}
      <p>
        Fields: {fields.join(', ')}.{button && ` Button: “${button}”.`}
      </p>
      <p>
        <code class="selector">{selector}</code>
      </p>
      <div class="buttons">
        <CopyButton label="Copy selector" text={selector} />
        <button type="button" onClick={() => highlight(element)}>
          Show on the page
        </button>
      </div>
    </>
  )
}

function FormToolFields(props: MakeProps & {form: PageForm}) {
  const {element, selector} = props.form
  const [texts, setTexts] = useState(() => textsFor(props.form))
  const groups = [...Map.groupBy(controlsOf(element), ({name}) => name)]
  return (
    <>
      <fieldset>
        <legend>What agents read about the fields</legend>
        {groups.map(([name, [first]]) => (
          <div key={name} class="field">
            <label for={`describe-${selector}-${name}`}>{first ? fieldLabelOf(first) : name}</label>
            <input
              id={`describe-${selector}-${name}`}
              value={texts[name] ?? ''}
              placeholder="Only if the label does not say enough"
              onInput={({currentTarget: {value}}) => setTexts((before) => ({...before, [name]: value}))}
            />
          </div>
        ))}
      </fieldset>
      <Handover {...props} {...formToolOf(props.form, texts)} />
    </>
  )
}
