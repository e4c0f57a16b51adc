import {html} from './html.ts'
import type {Page} from './layout.ts'

/** A page with a single message: a confirmation after a form, or an error. */
export function notePage(title: string, text: string): Page {
  return {
    title,
    main: html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="/products">To the products</a></p>`,
  }
}
