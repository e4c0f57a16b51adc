import type {Recipe} from './recipe.ts'

/** The fields of a tool that a recipe fills in. */
export type ToolFields = {
  readonly name: string
  readonly description: string
  readonly pathPattern: string
  readonly inputSchema: string
  readonly executeJs: string
}

/** Recipes for tools, in the order of the menu. `docs/tools.md` lists their titles. */
export const TOOL_RECIPES: readonly Recipe<ToolFields>[] = [
  {
    id: 'lookUp',
    title: 'Look something up',
    fields: {
      name: 'findProducts',
      description:
        'Searches the products of this shop by words in their name or description. Returns the id, name, price and page of up to 10 products.',
      pathPattern: '/**',
      inputSchema: parameters(
        {
          query: {type: 'string', description: 'What to look for, such as "rope" or "waterproof jacket"'},
          maxPrice: {type: 'number', description: 'The highest price in euros, if the visitor named one'},
        },
        ['query'],
      ),
      executeJs: `// Change this address to your own search.
const address = new URL('/api/products', location.origin)
address.searchParams.set('q', args.query)
if (args.maxPrice !== undefined) address.searchParams.set('maxPrice', args.maxPrice)

const response = await fetch(address, {signal})
if (!response.ok) throw new Error('The search failed. Try again later.')
const {products} = await response.json()
return products.slice(0, 10).map(({id, name, price, url}) => ({id, name, price, url}))
`,
    },
  },
  {
    id: 'details',
    title: 'Show the details of one thing',
    fields: {
      name: 'getProductDetails',
      description:
        'Returns the details of one product: its name, description, price, sizes, and how many are in stock.',
      pathPattern: '/**',
      inputSchema: parameters({
        productId: {type: 'string', description: 'The id of the product, as a search returns it'},
      }),
      executeJs: `// Change this address to your own. The id is added at its end.
const address = '/api/products/'

const response = await fetch(address + encodeURIComponent(args.productId), {signal})
if (response.status === 404) throw new Error('There is no product with this id. Search for it first.')
if (!response.ok) throw new Error('The product could not be read. Try again later.')
const {name, description, price, sizes, stock} = await response.json()
return {name, description, price, sizes, stock}
`,
    },
  },
  {
    id: 'addToCart',
    title: 'Add something to the cart',
    fields: {
      name: 'addProductToCart',
      description:
        'Puts a product into the visitor’s cart. Nothing is bought yet. Returns the products in the cart and their total price.',
      pathPattern: '/**',
      inputSchema: parameters(
        {
          productId: {type: 'string', description: 'The id of the product, as a search returns it'},
          quantity: {type: 'integer', minimum: 1, description: 'How many to add. Without it, one is added.'},
        },
        ['productId'],
      ),
      executeJs: `// Change this address to that of your own cart.
const address = '/api/cart'

const response = await fetch(address, {
  method: 'POST',
  headers: {'Content-Type': 'application/json'},
  body: JSON.stringify({productId: args.productId, quantity: args.quantity ?? 1}),
  signal,
})
const cart = await response.json()
if (!response.ok) throw new Error(cart.error?.message ?? 'The cart was not changed. Try again later.')
// Your page can listen for this event and show the new cart at once.
document.dispatchEvent(new CustomEvent('cart:changed', {detail: cart}))
return cart
`,
    },
  },
  {
    id: 'goToPage',
    title: 'Go to a page',
    fields: {
      name: 'openProductPage',
      description:
        'Opens the page of a product, so that the visitor sees it. Returns the address of the page.',
      pathPattern: '/**',
      inputSchema: parameters({
        productId: {type: 'string', description: 'The id of the product, as a search returns it'},
      }),
      executeJs: `// Change this address to your own. The id is added at its end.
const address = '/products/'

const url = address + encodeURIComponent(args.productId)
// The tool returns before the page is left. Otherwise the agent would get no result.
setTimeout(() => location.assign(url), 100)
return {opening: url}
`,
    },
  },
  {
    id: 'readPage',
    title: 'Read from the page',
    fields: {
      name: 'readPage',
      description:
        'Returns the text of the page that the visitor is looking at: its headings, paragraphs and lists.',
      pathPattern: '/**',
      inputSchema: parameters({}),
      executeJs: `// Change this selector to the parts of your page that agents should read.
const selector = 'main h1, main h2, main p, main li'

const parts = [...document.querySelectorAll(selector)]
if (parts.length === 0) throw new Error('There is nothing to read on this page. Try another page.')
return parts.slice(0, 30).map((part) => part.innerText)
`,
    },
  },
  {
    id: 'sendForm',
    title: 'Fill in and send a form',
    fields: {
      name: 'sendContactMessage',
      description:
        'Writes a message to the people of this shop and sends it. They reply by email. Ask the visitor to confirm the text first.',
      pathPattern: '/contact',
      inputSchema: parameters({
        name: {type: 'string', description: 'The name of the visitor'},
        email: {type: 'string', description: 'The email address for the reply'},
        subject: {
          type: 'string',
          enum: ['A product', 'An order', 'A return', 'Something else'],
          description: 'What the message is about',
        },
        message: {type: 'string', description: 'The text of the message'},
      }),
      executeJs: `// Change this selector to your own form. Name the parameters as the fields of the form are named.
const form = document.querySelector('form#contact')

if (form === null) throw new Error('The form is not on this page. Open the contact page first.')
for (const [name, value] of Object.entries(args)) {
  const field = form.elements.namedItem(name)
  if (field === null) throw new Error('The form has no field for ' + name + '.')
  field.value = value
}
if (!form.reportValidity()) throw new Error('The form does not accept this. Check the email address.')
// The tool returns before the form is sent. If that loads another page, the agent still gets a result.
setTimeout(() => form.requestSubmit(), 100)
return 'The form is being sent. The page shows whether it was accepted.'
`,
    },
  },
]

/** The text of an input schema. All parameters are required unless `required` lists fewer. */
function parameters(properties: Record<string, object>, required = Object.keys(properties)): string {
  return JSON.stringify({type: 'object', properties, ...(required.length > 0 && {required})}, null, 2)
}
