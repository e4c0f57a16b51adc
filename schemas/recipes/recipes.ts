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
      inputSchema: parameters({
        productId: {type: 'string', description: 'The ID of the product, as a search returns it'},
        quantity: {type: 'integer', minimum: 1, description: 'How many to add'},
      }),
      action: 'request',
      request: {
        method: 'POST',
        address: '/api/your-cart',
        body: ['productId', 'quantity'].map((name) => ({_type: 'row', _key: name, name, parameter: name})),
        result: {kind: 'object'},
      },
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

/** The text of an input schema, whose parameters are all required. */
function parameters(properties: Record<string, object>): string {
  const required = Object.keys(properties)
  return JSON.stringify({type: 'object', properties, ...(required.length > 0 && {required})}, null, 2)
}
