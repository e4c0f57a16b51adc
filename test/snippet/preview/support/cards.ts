/** A part of a page, as a tool for pages makes it. `HASH` stands for what is another one in each build. */
export type Shape = {
  readonly page: string
  /** What a person points at. */
  readonly at: string
  /** What an agent gets. */
  readonly read: unknown
}

const SHOP = 'https://shop.example'

const ROPE = {name: 'Mooring Rope', price: '€48.00', id: 'rope'}
const ANCHOR = {name: 'Anchor', price: '€99.00', id: 'anchor'}

/** Two products, each as this HTML. */
function products(html: (product: typeof ROPE) => string): string {
  return [ROPE, ANCHOR].map(html).join('')
}

/** What an agent gets of each product. */
function got(more: (product: typeof ROPE) => object): object[] {
  return [ROPE, ANCHOR].map((product) => ({
    title: product.name,
    address: `${SHOP}/p/${product.id}`,
    ...more(product),
  }))
}

/** Lists of things: cards, articles, results. */
export const CARDS: Readonly<Record<string, Shape>> = {
  'WooCommerce 9 products': {
    at: '.product h2',
    page: `<ul class="products columns-4">${products(
      ({name, price, id}) =>
        `<li class="product type-product post-7 instock"><a href="/p/${id}" class="woocommerce-LoopProduct-link"><img alt="${name}" src="data:,"><h2 class="woocommerce-loop-product__title">${name}</h2><span class="price"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">€</span>${price.slice(1)}</bdi></span></span></a><a href="?add-to-cart=7" class="button">Add to cart</a></li>`,
    )}</ul>`,
    read: got(({name, price}) => ({price, picture: name})),
  },
  'Bootstrap 5 cards': {
    at: '.card-text',
    page: `<div class="row row-cols-3">${products(
      ({name, id}) =>
        `<div class="col"><div class="card h-100"><div class="card-body"><h5 class="card-title">${name}</h5><p class="card-text">About ${id}</p><time datetime="2026-11-27">Friday</time><a href="/p/${id}" class="btn btn-primary stretched-link">Go somewhere</a></div></div></div>`,
    )}</div>`,
    read: got(({id}) => ({date: '2026-11-27', cardText: `About ${id}`})),
  },
  'cards that are one link': {
    at: '.price',
    page: `<div class="products">${products(
      ({name, price, id}) =>
        `<a class="card" href="/p/${id}"><img alt="Coil of ${id}" src="data:,"><h3>${name}</h3><span class="price">${price}</span></a>`,
    )}</div>`,
    read: got(({price, id}) => ({price, picture: `Coil of ${id}`})),
  },
  'cards with the CSS modules of Vite 7': {
    at: 'b',
    page: `<div class="_grid_h4sh_1">${products(
      ({name, price}) =>
        `<div class="_card_h4sh_7"><div class="_name_h4sh_9">${name}</div><div class="_by_h4sh_12"><b>by ${name}</b></div><div class="_cost_h4sh_15">${price}</div><button class="_add_h4sh_20">Add</button></div>`,
    )}</div>`,
    read: [ROPE, ANCHOR].map(({name, price}) => ({title: name, by: `by ${name}`, price})),
  },
  'links without a heading, in boxes without a class': {
    at: '.price',
    page: `<section id="shop">${products(
      ({name, price, id}) =>
        `<div><a class="card" href="/p/${id}"><img alt="" src="data:,"><span class="label">${name}</span><span class="price">${price}</span></a></div>`,
    )}</section>`,
    read: got(({price}) => ({price})),
  },
  'list entries with a link and a price': {
    at: 'li b',
    page: `<ul class="offers">${products(({name, price, id}) => `<li><a href="/p/${id}">${name}</a><b>${price}</b></li>`)}</ul>`,
    read: got(({price}) => ({price})),
  },
  'a search that found one thing': {
    at: '.card-price',
    page: `<ul class="cards"><li class="card"><a class="card-link" href="/p/rope"><svg aria-hidden="true"></svg><span class="card-name">Mooring Rope</span><span class="card-price">€48.00 <span class="sold-out">sold out</span></span></a></li></ul>`,
    read: [{title: 'Mooring Rope', address: `${SHOP}/p/rope`, price: '€48.00 sold out', soldOut: 'sold out'}],
  },
  'list entries whose text is set off': {
    at: 'li small',
    page: `<ul class="offers">${products(({name, price, id}) => `<li><a href="/p/${id}"><strong>${name}</strong><small>${price}</small></a></li>`)}</ul>`,
    read: got(({price}) => ({price})),
  },
  'cards under a link without a text': {
    at: '.price',
    page: `<div class="tiles">${products(
      ({name, price, id}) =>
        `<div class="tile"><a class="overlay" href="/p/${id}" aria-label="${name}"></a><span class="price">${price}</span></div>`,
    )}</div>`,
    read: got(({price}) => ({price})),
  },
  'microdata and attributes': {
    at: 'p',
    page: `<div class="results">${products(
      ({name, price, id}) =>
        `<div class="result" itemscope data-sku="S-${id}" data-v-7ba5bd90><p itemprop="name"><a itemprop="url" href="/p/${id}">${name}</a></p><meta itemprop="gtin" content="4${id}"><span itemprop="brand">${id} & Co</span><span itemprop="price" content="48">${price}</span></div>`,
    )}</div>`,
    read: got(({price, id}) => ({brand: `${id} & Co`, price, gtin: `4${id}`, sku: `S-${id}`})),
  },
  'cards with a definition list': {
    at: '.title',
    page: `<div class="hits">${products(
      ({name, id}) =>
        `<article><p class="title"><a href="/p/${id}">${name}</a></p><dl><dt>Maker</dt><dd>${id} Ltd</dd><dt>Length</dt><dd>${id.length} m</dd></dl></article>`,
    )}</div>`,
    read: got(({id}) => ({maker: `${id} Ltd`, length: `${id.length} m`})),
  },
  'CSS modules': {
    at: 'article span',
    page: `<div>${products(
      ({name, id}) =>
        `<article class="Card_root__HASH"><div class="Card_name__HASH"><a href="/p/${id}">${name}</a></div><div class="Card_row__HASH"><span>Artikelnummer</span><span>${id}</span></div><div class="Card_row__HASH"><span>Lagernd:</span><span>${id.length}.000</span></div><button>In den Warenkorb</button></article>`,
    )}</div>`,
    read: got(({id}) => ({artikelnummer: id, lagernd: `${id.length}.000`})),
  },
  'styled-components, in React': {
    at: 'h4',
    page: `<main><div class="sc-HASH hKHASH">${products(
      ({name, price, id}) =>
        `<div class="Card__Box-sc-1HASH-0 jHASH"><a class="sc-2HASH kHASH" href="/p/${id}"><h4 class="css-HASH">${name}</h4></a><p class="Card__Price-sc-3HASH-1 lHASH">${price}</p><p class="css-1HASH-Stock">${id.length} left</p></div>`,
    )}</div></main>`,
    read: got(({price, id}) => ({price, text: `${id.length} left`})),
  },
  'a Tailwind product list': {
    at: '.mt-1',
    page: `<main><div class="mt-6 grid grid-cols-1 gap-x-6 sm:grid-cols-2">${products(
      ({name, price, id}) =>
        `<div class="group relative"><img src="data:," alt="Front of ${id}." class="aspect-square w-full rounded-md"><div class="mt-4 flex justify-between"><div><h3 class="text-sm text-gray-700"><a href="/p/${id}"><span aria-hidden="true" class="absolute inset-0"></span>${name}</a></h3><p class="mt-1 text-sm text-gray-500">Colour of ${id}</p></div><p class="text-sm font-medium text-gray-900">${price}</p></div></div>`,
    )}</div></main>`,
    read: got(({price, id}) => ({text: `Colour of ${id}`, price, picture: `Front of ${id}.`})),
  },
  'a grid whose links say what is to do': {
    at: '.grid-item-name',
    page: `<div class="with-product-grid">${products(
      ({name, price, id}) =>
        `<div class="grid-item"><img src="data:,"><div class="grid-item-name">${name}</div><a class="grid-item-reviews" href="/p/${id}">Reviews</a><div class="grid-item-price">${price}</div></div>`,
    )}</div>`,
    read: got(({price}) => ({price})),
  },
  'Shopify’s theme Dawn': {
    at: '.price-item',
    page: `<ul id="product-grid" class="grid product-grid grid--2-col">${products(
      ({name, price, id}) =>
        `<li class="grid__item"><div class="card-wrapper product-card-wrapper"><div class="card card--standard"><div class="card__inner ratio"><div class="card__media"><img alt="" src="data:,"></div><div class="card__content"><h3 class="card__heading"><a href="/p/${id}" class="full-unstyled-link">${name}</a></h3></div></div><div class="card__content"><div class="card__information"><h3 class="card__heading h5" id="title-template--HASH-${id}"><a href="/p/${id}" class="full-unstyled-link">${name}</a></h3><div class="card-information"><span class="visually-hidden">Vendor:</span><div class="caption-with-letter-spacing light">${id} & Co</div><div class="price"><div class="price__container"><div class="price__regular"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">${price} EUR</span></div><div class="price__sale" style="display:none"><s class="price-item">€1</s></div></div></div></div></div></div></div></div></li>`,
    )}</ul>`,
    read: got(({price, id}) => ({vendor: `${id} & Co`, price: `${price} EUR`})),
  },
  'a Magento list': {
    at: '.price',
    page: `<div class="products wrapper grid"><ol class="products list items product-items">${products(
      ({name, price, id}) =>
        `<li class="item product product-item"><div class="product-item-info" data-container="product-grid"><a href="/p/${id}" class="product photo product-item-photo"><img class="product-image-photo" alt="${name}" src="data:,"></a><div class="product details product-item-details"><strong class="product name product-item-name"><a class="product-item-link" href="/p/${id}">${name}</a></strong><div class="price-box price-final_price"><span class="price-container"><span id="product-price-HASH" data-price-amount="48" class="price-wrapper"><span class="price">${price}</span></span></span></div><div class="product-item-inner"><form><button class="action tocart"><span>Add to Cart</span></button></form></div></div></div></li>`,
    )}</ol></div>`,
    read: got(({name, price}) => ({price, picture: name})),
  },
  'a query loop of WordPress': {
    at: '.wp-block-post-excerpt p',
    page: `<div class="wp-block-query"><ul class="wp-block-post-template is-layout-grid wp-container-HASH">${products(
      ({name, id}) =>
        `<li class="wp-block-post post-12 post type-post"><figure class="wp-block-post-featured-image"><a href="/p/${id}"><img alt="" src="data:,"></a></figure><h2 class="wp-block-post-title"><a href="/p/${id}">${name}</a></h2><div class="wp-block-post-excerpt"><p class="wp-block-post-excerpt__excerpt">About ${id}</p></div><div class="wp-block-post-date"><time datetime="2026-11-27T09:00">27 November</time></div></li>`,
    )}</ul></div>`,
    read: got(({id}) => ({date: '2026-11-27T09:00', wpBlockPostExcerpt: `About ${id}`})),
  },
  'a view of Drupal': {
    at: '.views-field-title',
    page: `<div class="views-element-container"><div class="view view-frontpage js-view-dom-id-HASH"><div class="view-content">${products(
      ({name, id}) =>
        `<div class="views-row"><div class="views-field views-field-title"><span class="field-content"><a href="/p/${id}" hreflang="en">${name}</a></span></div><div class="views-field views-field-created"><span class="views-label">Posted: </span><span class="field-content"><time datetime="2026-11-27T09:00:00+00:00" class="datetime">27 November</time></span></div><div class="views-field views-field-field-topic"><span class="views-label">Topic: </span><div class="field-content">About ${id}</div></div></div>`,
    )}</div></div></div>`,
    read: got(({id}) => ({date: '2026-11-27T09:00:00+00:00', topic: `About ${id}`})),
  },
  'a list of Vue with scoped styles': {
    at: '.item-stock',
    page: `<div id="app" data-v-app><ul class="items" data-v-HASH><!--[-->${products(
      ({name, id}) =>
        `<li data-v-HASH class="item"><a data-v-HASH href="/p/${id}" class="item-link"><span data-v-HASH class="item-name">${name}</span><span data-v-HASH class="item-stock">${id.length} left</span></a></li>`,
    )}<!--]--></ul></div>`,
    read: got(({id}) => ({itemStock: `${id.length} left`})),
  },
  'a fragment of htmx': {
    at: '#hits p',
    page: `<div id="hits" hx-get="/search" hx-trigger="keyup">${products(({name, id}) => `<article id="hit-${id}" class="htmx-added"><header><a href="/p/${id}" hx-boost="true">${name}</a></header><p>About ${id}</p></article>`)}</div>`,
    read: got(({id}) => ({text: `About ${id}`})),
  },
  'a list of Livewire': {
    at: 'li p',
    page: `<div wire:id="HASH" wire:snapshot="{}"><ul role="list" class="divide-y divide-gray-100">${products(
      ({name, id}) =>
        `<li wire:key="post-${id}" class="flex justify-between gap-x-6 py-5"><div class="min-w-0 flex-auto"><p class="text-sm/6 font-semibold text-gray-900"><a href="/p/${id}" wire:navigate>${name}</a></p><p class="mt-1 truncate text-xs/5 text-gray-500">About ${id}</p></div></li>`,
    )}</ul></div>`,
    read: got(({id}) => ({text: `About ${id}`})),
  },
  'issues of GitHub': {
    at: 'h3',
    page: `<div class="ListView-module__container--HASH"><ul class="ListView-module__ul--HASH" data-listview-component="items-list">${products(
      ({name, id}) =>
        `<li class="ListItem-module__listItem--HASH" role="listitem" tabindex="-1"><div class="ListItem-module__titleBox--HASH"><h3 class="Title-module__heading--HASH"><a data-testid="issue-pr-title-link" class="Title-module__anchor--HASH" href="/p/${id}"><span>${name}</span></a></h3><div class="Description-module__container--HASH"><span>#${id.length}</span> <a href="/u/${id}">${id}-bot</a> opened <relative-time datetime="2026-11-27">yesterday</relative-time></div></div></li>`,
    )}</ul></div>`,
    read: got(({id}) => ({container: `#${id.length} ${id}-bot opened yesterday`})),
  },
  'questions of Stack Overflow': {
    at: '.s-post-summary--content-excerpt',
    page: `<div id="questions">${products(
      ({name, id}) =>
        `<div id="question-summary-${id}" class="s-post-summary js-post-summary" data-post-id="7${id}"><div class="s-post-summary--stats"><div class="s-post-summary--stats-item" title="Score of 3"><span class="s-post-summary--stats-item-number">${id.length}</span><span class="s-post-summary--stats-item-unit">votes</span></div></div><div class="s-post-summary--content"><h3 class="s-post-summary--content-title"><a href="/p/${id}" class="s-link">${name}</a></h3><div class="s-post-summary--content-excerpt">About ${id}</div><div class="s-post-summary--meta"><ul class="js-post-tag-list-wrapper"><li><a href="/t/${id}" class="s-tag post-tag">${id}</a></li></ul></div></div></div>`,
    )}</div>`,
    read: got(({id}) => ({
      sPostSummaryStatsItemNumber: String(id.length),
      sPostSummaryContentExcerpt: `About ${id}`,
      postTag: id,
      id: `7${id}`,
    })),
  },
  'results like those of Amazon': {
    at: '.a-price',
    page: `<div class="s-main-slot s-result-list">${products(
      ({name, price, id}) =>
        `<div data-asin="B0${id}" data-index="${id.length}" data-uuid="HASH-${id}" data-component-type="s-search-result" class="sg-col-4-of-24 s-result-item s-asin"><div class="puis-card-container"><span data-component-type="s-product-image"><a class="a-link-normal" href="/p/${id}"><img class="s-image" alt="${name}" src="data:,"></a></span><a class="a-link-normal s-line-clamp-2" href="/p/${id}"><h2 class="a-size-base-plus"><span>${name}</span></h2></a><span class="a-price"><span class="a-offscreen">${price}</span><span aria-hidden="true"><span class="a-price-symbol">€</span><span class="a-price-whole">48<span class="a-price-decimal">.</span></span><span class="a-price-fraction">00</span></span></span></div></div>`,
    )}</div>`,
    read: got(({name, price, id}) => ({price, picture: name, asin: `B0${id}`})),
  },
  'results like those of eBay': {
    at: '.s-card__price',
    page: `<ul class="srp-results srp-list clearfix">${products(
      ({name, price, id}) =>
        `<li class="s-card s-card--horizontal" data-listingid="3${id}" data-view="mi:1|iid:${id.length}"><div class="su-card-container"><a class="s-card__link" href="/p/${id}"><div role="heading" aria-level="3" class="s-card__title"><span class="su-styled-text primary default">${name}</span></div></a><div class="s-card__subtitle"><span class="su-styled-text secondary">Brand New</span></div><span class="su-styled-text primary bold s-card__price">${price}</span><span class="su-styled-text secondary">from ${id}land</span></div></li>`,
    )}</ul>`,
    read: got(({price, id}) => ({price, secondary: `from ${id}land`, listingid: `3${id}`})),
  },
  'Hacker News': {
    at: '.titleline a',
    page: `<table id="hnmain"><tr><td><table>${products(
      ({name, id}) =>
        `<tr class="athing submission" id="4${id}"><td class="title"><span class="rank">${id.length}.</span></td><td class="votelinks"><a href="/vote"><div class="votearrow"></div></a></td><td class="title"><span class="titleline"><a href="/p/${id}">${name}</a><span class="sitebit comhead"> (<a href="/from"><span class="sitestr">${id}.example</span></a>)</span></span></td></tr><tr><td colspan="2"></td><td class="subtext"><span class="score">9 points</span></td></tr><tr class="spacer"></tr>`,
    )}</table></td></tr></table>`,
    read: got(({id}) => ({rank: `${id.length}.`, sitestr: `${id}.example`})),
  },
  'an accordion of Bootstrap 5': {
    at: '.accordion-item',
    page: `<h2>Help</h2><div class="accordion" id="faq">${products(({name, id}) => `<div class="accordion-item"><h3 class="accordion-header"><button class="accordion-button collapsed" type="button" data-bs-toggle="collapse" data-bs-target="#c-${id}" aria-expanded="false" aria-controls="c-${id}">${name}?</button></h3><div id="c-${id}" class="accordion-collapse collapse" style="display:none"><div class="accordion-body">Yes, ${id}.</div></div></div>`)}</div>`,
    read: [ROPE, ANCHOR].map(({name, id}) => ({title: `${name}?`, accordionCollapse: `Yes, ${id}.`})),
  },
  'messages in frames of Turbo': {
    at: 'article',
    page: `<div id="messages">${products(({name, id}) => `<turbo-frame id="message_${id.length}"><article class="message"><p><b class="v-chip v-chip--size">${name}</b></p><p>${id} <a href="mailto:${id}@shop.example">${id}@shop.example</a></p><a href="/p/${id}">Edit</a></article></turbo-frame>`)}</div>`,
    read: got(({id}) => ({text: `${id} ${id}@shop.example`})),
  },
  'closed questions': {
    at: 'summary',
    page: `<main><h2>Help</h2>${products(({name, id}) => `<details class="govuk-details"><summary class="govuk-details__summary"><span class="govuk-details__summary-text">${name}?</span></summary><div class="govuk-details__text">Yes, ${id}.</div></details>`)}</main>`,
    read: [ROPE, ANCHOR].map(({name, id}) => ({
      title: `${name}?`,
      govukDetailsText: `Yes, ${id}.`,
    })),
  },
}
