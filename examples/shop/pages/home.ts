import type {Product} from '../store/products.ts'
import {html} from './html.ts'
import type {Page} from './layout.ts'
import {newsletterForm, productCard, TOOL_IN_STUDIO} from './parts.ts'

export function homePage(featured: readonly {product: Product; stock: number}[]): Page {
  return {
    title: 'Gear for small boats',
    main: html`<section class="hero">
  <div>
    <h1>Gear for small boats and wet weather</h1>
    <p>Ropes, jackets, lanterns and mugs that have been out there before you. Twelve things, chosen well.</p>
    <form class="search" action="/products" role="search"${TOOL_IN_STUDIO}>
      <label for="search-words">What are you looking for?</label>
      <div class="row">
        <input id="search-words" name="q" type="search" maxlength="200" placeholder="rope, waterproof jacket …">
        <button>Search</button>
      </div>
    </form>
  </div>
  <svg class="scene" viewBox="0 0 320 220" aria-hidden="true">
    <circle fill="#e08e68" cx="236" cy="70" r="34"/>
    <path fill="#8ba39f" d="M0 132c40-22 78-22 118 0s84 22 122 2 60-16 80-8v94H0z"/>
    <path fill="#f3ede0" d="M150 34v92H96zM156 52l44 74h-44z"/>
    <path fill="#a9402c" d="M86 136h128l-18 28h-92z"/>
    <path fill="#3f7389" d="M0 156q20-12 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0v64H0z"/>
    <path fill="#1c5870" d="M0 182q20-12 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0v38H0z"/>
  </svg>
</section>
<section aria-labelledby="featured-title">
  <h2 id="featured-title">For this season</h2>
  <ul class="cards">${featured.map(({product, stock}) => productCard(product, stock))}</ul>
</section>
${newsletterForm()}`,
  }
}
