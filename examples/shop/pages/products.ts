import {CATEGORIES, type Product} from '../store/products.ts'
import {html} from './html.ts'
import type {Page} from './layout.ts'
import {problemNote, productCard, TOOL_IN_STUDIO, type Typed} from './parts.ts'

export function productsPage(
  found: readonly {product: Product; stock: number}[],
  filter: Typed,
  problem?: string,
): Page {
  const options = [['', 'All'], ...Object.entries(CATEGORIES)].map(
    ([value = '', name = '']) =>
      html`<option value="${value}"${value === (filter.category ?? '') && html` selected`}>${name}</option>`,
  )
  return {
    title: 'Products',
    section: '/products',
    main: html`<h1>Products</h1>
<form id="filter" class="filter" action="/products" role="search"${TOOL_IN_STUDIO}>
  <p><label for="filter-q">Words in the name or description</label>
  <input id="filter-q" name="q" type="search" maxlength="200" value="${filter.q}"></p>
  <p><label for="filter-category">Category</label>
  <select id="filter-category" name="category">${options}</select></p>
  <p><label for="filter-price">Highest price (€)</label>
  <input id="filter-price" name="maxPrice" type="number" min="0" step="0.01" inputmode="decimal" value="${filter.maxPrice}"></p>
  <button>Show</button>
</form>
<div id="problem">${problemNote(problem)}</div>
<p id="found" role="status">${foundText(found.length)}</p>
<ul id="found-products" class="cards">${found.map(({product, stock}) => productCard(product, stock))}</ul>`,
  }
}

function foundText(count: number): string {
  if (count === 0) return 'No product matches. Try fewer words.'
  return count === 1 ? 'One product' : `${count} products`
}
