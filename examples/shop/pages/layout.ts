import {type Html, html} from './html.ts'

/** Values for the layout around the main part of every page. */
export type Frame = {
  /** The service whose snippet the pages embed, such as `http://127.0.0.1:3000`. */
  readonly serviceOrigin: string
  /** The site whose tools it registers. */
  readonly publicId: string
  /** Number of items in the visitor's cart. */
  readonly cartCount: number
}

export type Page = {
  readonly title: string
  readonly main: Html
  /** The entry of the navigation that leads here. */
  readonly section?: '/products' | '/about' | '/contact' | '/cart'
}

/** Renders a complete page. */
export function layout({title, main, section}: Page, {serviceOrigin, publicId, cartCount}: Frame): string {
  const current = (path: Page['section']) => path === section && html` aria-current="true"`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Harbour Supply</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/shop.css">
<script type="module" src="/assets/shop.js"></script>
<script async crossorigin src="${serviceOrigin}/snippet.js" data-site="${publicId}" data-panel></script>
</head>
<body>
<a class="unseen" href="#main">Skip to the content</a>
<header class="top">
  <a class="brand" href="/"><svg viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="7" r="3"/><path d="M16 10v18M10 14h12M4 19c1 6 5 9 12 9s11-3 12-9"/></svg>Harbour Supply</a>
  <nav aria-label="Shop">
    <a href="/products"${current('/products')}>Products</a>
    <a href="/about"${current('/about')}>About</a>
    <a href="/contact"${current('/contact')}>Contact</a>
    <a class="cart-link" href="/cart"${current('/cart')}>Cart <span class="count"><span data-cart-count>${cartCount}</span><span class="unseen"> items</span></span></a>
  </nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<p class="toast" role="status" data-toast></p>
<footer class="bottom">
  <p>Harbour Supply is a demonstration: nothing is sold here, and no parcel leaves the harbour.</p>
</footer>
<aside class="panel-place" aria-label="Place of the panel">
  <p>The panel with the tools of this page did not load. Is the service running?</p>
</aside>
</body>
</html>
`.text
}
