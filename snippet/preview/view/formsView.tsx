import {highlight} from '../forms/highlight.ts'
import type {PageForm} from '../forms/pageForms.ts'
import type {Panel} from '../panel.ts'
import {formToolUrl} from '../studioLinks.ts'
import {CopyButton} from './copyButton.tsx'

/** The forms of the page, as an editor makes form tools of them. */
export function FormsView({panel, forms}: {panel: Panel; forms: PageForm[]}) {
  if (forms.length === 0) return <p class="empty">This page has no form with fields.</p>
  return (
    <ul class="list">
      {forms.map((form) => (
        <li key={form.selector} data-form={form.selector}>
          <FormItem form={form} panel={panel} />
        </li>
      ))}
    </ul>
  )
}

function FormItem({form, panel}: {form: PageForm; panel: Panel}) {
  const site = panel.sites.find(({drafts}) => drafts?.studioUrl)
  const {heading, fields, button, selector, tool, element} = form
  return (
    <div class="item">
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
        {site?.drafts?.studioUrl && !tool && (
          <a
            href={formToolUrl(site.drafts.studioUrl, site.drafts.site.id, form)}
            target="_blank"
            rel="noopener noreferrer"
          >
            Make a form tool of this
          </a>
        )}
      </div>
    </div>
  )
}
