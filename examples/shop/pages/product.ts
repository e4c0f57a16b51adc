import {CATEGORIES, type Product} from '../store/products.ts'
import type {Review} from '../store/reviews.ts'
import {MAX_QUANTITY} from '../store/store.ts'
import {type Html, html} from './html.ts'
import type {Page} from './layout.ts'
import {money, stars} from './parts.ts'
import {pictureOf} from './pictures.ts'

export function productPage(
  product: Product,
  {stock, rating, reviews}: {stock: number; rating: number | undefined; reviews: readonly Review[]},
): Page {
  return {
    title: product.name,
    section: '/products',
    main: html`<p><a href="/products">Products</a> <span aria-hidden="true">/</span> <a href="/products?category=${product.category}">${CATEGORIES[product.category]}</a></p>
<article class="product">
  <div class="tile">${pictureOf(product.id)}</div>
  <div>
    <h1>${product.name}</h1>
    ${rating !== undefined && html`<p>${stars(rating)} <a href="#reviews">${reviews.length === 1 ? 'one review' : `${reviews.length} reviews`}</a></p>`}
    <p class="price">${money(product.price)}</p>
    <p>${product.description}</p>
    <ul class="details">${product.details.map((detail) => html`<li>${detail}</li>`)}</ul>
    ${buyForm(product, stock)}
  </div>
</article>
<section id="reviews" aria-labelledby="reviews-title">
  <h2 id="reviews-title">What customers say</h2>
  ${reviews.length === 0 && html`<p>No reviews yet.</p>`}
  <ul class="reviews">${reviews.map(reviewItem)}</ul>
</section>`,
  }
}

function buyForm({id, sizes}: Product, stock: number): Html {
  if (stock === 0) return html`<p class="sold-out">Sold out. It comes back with the autumn delivery.</p>`
  return html`<form class="buy" method="post" action="/cart" data-adds-to-cart>
  <input type="hidden" name="productId" value="${id}">
  ${
    sizes !== undefined &&
    html`<p><label for="buy-size">Size</label>
  <select id="buy-size" name="size" required><option value="">Choose</option>${sizes.map((size) => html`<option>${size}</option>`)}</select></p>`
  }
  <p><label for="buy-quantity">Quantity</label>
  <input id="buy-quantity" name="quantity" type="number" min="1" max="${Math.min(stock, MAX_QUANTITY)}" value="1" required></p>
  <button>Add to cart</button>
  <p class="stock">${stock} in stock</p>
</form>`
}

function reviewItem({author, date, rating, text}: Review): Html {
  return html`<li>
  <p>${stars(rating)} <strong>${author}</strong> <time datetime="${date}">${date}</time></p>
  <p>${text}</p>
</li>`
}
