import {html} from './html.ts'
import type {Page} from './layout.ts'
import {newsletterForm} from './parts.ts'

export function aboutPage(): Page {
  return {
    title: 'About',
    section: '/about',
    main: html`<h1>About the shop</h1>
<div class="prose">
<p class="lead">Harbour Supply is the demo shop of Handrail. Its pages offer tools to AI agents.</p>
<p>The shop’s own code registers no tool. One line in every page embeds the snippet; editors define in Sanity Studio which tools a page has and what they do. An agent can search the products, read reviews, fill the cart and place an order, and you see the page change while it does.</p>
<p>The panel next to the page lists the tools that are registered on it, and lets you call each tool as an agent would. Publish a change in Studio, refresh the panel, and the list changes without a reload.</p>
<h2>No real orders</h2>
<p>Nothing is sold or sent. Carts and orders are kept in memory until the shop stops, and every email is only written to the log.</p>
</div>
${newsletterForm()}`,
  }
}
