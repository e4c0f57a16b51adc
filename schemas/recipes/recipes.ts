import type {Fields} from '../record.ts'

/**
 * An example that editors start a new document from. It holds the fields that differ from the schema's initial values.
 * Addresses and selectors in it are ones that no site has, so that advice knows what is still to be changed.
 */
export type Recipe = {
  /** Unique among all recipes. */
  readonly id: string
  /** What the editor chooses, such as "Look something up". */
  readonly title: string
  readonly fields: Fields
}

/** Recipes for tools, in the order of the menu. `docs/tools.md` lists their titles. */
export const TOOL_RECIPES = [
  {
    id: 'lookUp',
    title: 'Look something up',
    fields: {
      name: 'searchWebsite',
      description: 'Searches this website by words. Returns the ID, title and address of up to 10 results.',
      pathPattern: '/**',
      inputSchema: parameters({
        query: {
          type: 'string',
          description: 'What to look for: one or more words, such as a part of a title',
        },
      }),
      action: 'request',
      request: {
        method: 'GET',
        address: '/api/your-search',
        query: [{_type: 'row', _key: 'query', name: 'q', parameter: 'query'}],
        result: {kind: 'list', path: 'yourResults', members: members('id', 'title', 'url'), limit: 10},
      },
    },
  },
  {
    id: 'details',
    title: 'Show the details of one thing',
    fields: {
      name: 'getDetails',
      description:
        'Returns the details of one result of a search: its title, its description and its address.',
      pathPattern: '/**',
      inputSchema: parameters({
        id: {type: 'string', description: 'The ID of the result, as a search returns it'},
      }),
      action: 'request',
      request: {
        method: 'GET',
        address: '/api/your-results/{id}',
        result: {kind: 'object', members: members('title', 'description', 'url')},
        nothing: 'There is nothing with the ID “{id}”. Search for it first.',
      },
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
          productId: {type: 'string', description: 'The ID of the product, as a search returns it'},
          quantity: {type: 'integer', minimum: 1, description: 'How many to add. Without it, one is added.'},
        },
        ['productId'],
      ),
      executeJs: `// Change this address to that of your own cart.
const address = '/api/your-cart'

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
    id: 'signedIn',
    title: 'Show the orders of a signed-in visitor',
    fields: {
      name: 'listOrders',
      description:
        'Returns the orders of the visitor who is signed in, the newest first: their ID, date and total.',
      pathPattern: '/**',
      inputSchema: parameters({}),
      offeredWhile: {has: ['.your-account']},
      action: 'request',
      request: {
        method: 'GET',
        address: '/api/your-orders',
        result: {kind: 'list', path: 'yourOrders', members: members('id', 'date', 'total'), limit: 10},
      },
    },
  },
  {
    id: 'goToPage',
    title: 'Go to a page',
    fields: {
      name: 'openPage',
      description:
        'Opens the page of a result of a search, so that the visitor sees it. Returns its address.',
      pathPattern: '/**',
      inputSchema: parameters({
        id: {type: 'string', description: 'The ID of the result, as a search returns it'},
      }),
      action: 'link',
      link: {address: '/your-results/{id}'},
    },
  },
  {
    id: 'readPage',
    title: 'Read from the page',
    fields: {
      name: 'readPage',
      description: 'Returns a table and a list of the page that the visitor is looking at.',
      pathPattern: '/**',
      inputSchema: parameters({}),
      action: 'reading',
      reading: {
        parts: [
          {_type: 'part', _key: 'table', name: 'table', kind: 'table', selector: 'table#your-table'},
          {_type: 'part', _key: 'list', name: 'list', kind: 'list', selector: 'ul#your-list'},
        ],
      },
    },
  },
  {
    id: 'sendForm',
    title: 'Fill in and send a form',
    fields: {
      name: 'sendContactMessage',
      description:
        'Writes a message to the people of this website and sends it. They reply by email. Ask the visitor to confirm the text first.',
      pathPattern: '/contact',
      inputSchema: parameters({
        name: {type: 'string', description: 'The name of the visitor'},
        email: {type: 'string', description: 'The email address for the reply'},
        subject: {
          type: 'string',
          enum: ['A question', 'A problem', 'Something else'],
          description: 'What the message is about',
        },
        message: {type: 'string', description: 'The text of the message'},
      }),
      executeJs: `// Change this selector to your own form. Name the parameters as the fields of the form are named.
const form = document.querySelector('form#your-form')

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
] satisfies readonly Recipe[]

/** Recipes for form tools, in the order of the menu. */
export const FORM_TOOL_RECIPES = [
  {
    id: 'visitorSends',
    title: 'A form that the visitor sends, such as a contact form',
    fields: {
      name: 'writeToUs',
      description:
        'Fills in a message to the people of this website. The visitor reads it and sends it. They reply by email.',
      pagePath: '/contact',
      selector: 'form#your-form',
      autosubmit: false,
    },
  },
  {
    id: 'agentSends',
    title: 'A form that the agent sends, such as a filter',
    fields: {
      name: 'filterList',
      description:
        'Shows only those entries of the list on this page that contain certain words. Returns their names.',
      pagePath: '/your-list',
      selector: 'form#your-filter',
      autosubmit: true,
    },
  },
] satisfies readonly Recipe[]

/** Members of an answer that are returned by their own names. */
function members(...names: string[]): Fields[] {
  return names.map((path) => ({_type: 'member', _key: path, path}))
}

/** The text of an input schema. All parameters are required unless `required` lists fewer. */
function parameters(properties: Record<string, object>, required = Object.keys(properties)): string {
  return JSON.stringify({type: 'object', properties, ...(required.length > 0 && {required})}, null, 2)
}
