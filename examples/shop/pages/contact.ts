import {html} from './html.ts'
import type {Page} from './layout.ts'
import {problemNote, TOOL_IN_STUDIO, type Typed} from './parts.ts'

const SUBJECTS = ['A product', 'An order', 'A return', 'Something else']

export function contactPage({name, email, subject, message}: Typed, problem?: string): Page {
  return {
    title: 'Contact',
    section: '/contact',
    main: html`<h1>Write to us</h1>
<p class="lead">Questions about products, orders and returns. We reply by email within one working day.</p>
${problemNote(problem)}
<form id="contact" method="post" action="/contact" class="stacked" data-answers-here${TOOL_IN_STUDIO}>
  <p><label for="contact-name">Your name</label>
  <input id="contact-name" name="name" autocomplete="name" maxlength="200" value="${name}" required></p>
  <p><label for="contact-email">Your email address</label>
  <input id="contact-email" name="email" type="email" autocomplete="email" maxlength="254" value="${email}" required></p>
  <p><label for="contact-subject">What is it about?</label>
  <select id="contact-subject" name="subject" required>${SUBJECTS.map((text) => html`<option${text === subject && html` selected`}>${text}</option>`)}</select></p>
  <p><label for="contact-message">Your message</label>
  <textarea id="contact-message" name="message" rows="6" maxlength="5000" required>${message}</textarea></p>
  <button>Send</button>
</form>`,
  }
}
