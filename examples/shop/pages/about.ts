import {html} from './html.ts'
import type {Page} from './layout.ts'
import {newsletterForm} from './parts.ts'

export function aboutPage(): Page {
  return {
    title: 'About',
    section: '/about',
    main: html`<h1>About the shop</h1>
<div class="prose">
<p class="lead">Harbour Supply is the demonstration of Handrail: a shop whose pages offer tools to the AI agents that visit them.</p>
<p>Its own code registers none of them. One line in every page embeds the snippet; which tools a page has, and what they do, stands in Sanity Studio. An agent can search the shelf, read what customers say, fill the cart and place an order, and whoever watches sees the page follow.</p>
<p>The panel beside the page lists what is registered on it right now, and lets you call each tool as an agent does. Publish a change in Studio, ask again, and the list follows without a reload.</p>
<h2>Where the parcels go</h2>
<p>Nowhere. Carts and orders live in memory until the shop is stopped, and every email is written to its log.</p>
</div>
${newsletterForm()}`,
  }
}
