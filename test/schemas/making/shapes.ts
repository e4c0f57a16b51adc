import {multipartText} from '../../../schemas/making/multipart.ts'
import type {Exchange} from '../../../schemas/making/values.ts'

/** An answer of a public API, as a page recorded it, and what comes of it. */
export type Shape = {
  readonly what: string
  readonly exchange: Exchange
  readonly typed?: readonly string[]
  /** The names of the parameters, each with what was recorded for it. */
  readonly args: Readonly<Record<string, unknown>>
  /** The first entry of the result, or the result. */
  readonly first: unknown
  readonly name: string
  readonly status?: number
}

const site = 'https://library.example'
const book = {id: 'b1', title: 'Knots', author: {name: 'A. Rope'}, tags: ['sea', 'work'], available: true}

function get(path: string, answer: unknown): Exchange {
  return {method: 'GET', address: path.startsWith('/') ? site + path : path, answer}
}

function post(path: string, body: unknown, answer: unknown): Exchange {
  return {
    method: 'POST',
    address: path.startsWith('/') ? site + path : path,
    contentType: 'application/json',
    body: JSON.stringify(body),
    answer,
  }
}

const many = Array.from({length: 8_000}, (_, at) => ({id: at, text: `Entry ${at} ${'x'.repeat(240)}`}))

/** Public shapes of answers: arrays, envelopes, pages, GraphQL, JSON:API, HAL, OData, and what is no JSON. */
export const SHAPES: readonly Shape[] = [
  {
    what: 'a bare array',
    exchange: get('/api/books?q=rope', [book]),
    typed: ['rope'],
    args: {query: 'rope'},
    first: {id: 'b1', title: 'Knots', tags: ['sea', 'work'], available: true, name: 'A. Rope'},
    name: 'searchBooks',
  },
  {
    what: 'an envelope two levels deep',
    exchange: get('/api/v2/events?from=2026-11-20&branch=central', {
      data: {items: [{title: 'Reading', starts: {at: '2026-11-21'}, branch: 'Central'}]},
      meta: {total: 1},
    }),
    args: {from: '2026-11-20', branch: 'central'},
    first: {title: 'Reading', branch: 'Central', at: '2026-11-21'},
    name: 'searchEvents',
  },
  {
    what: 'results with pages, of which an agent needs none',
    exchange: get('/api/products?search=lamp&page=1&per_page=20', {
      results: [{name: 'Lamp', price: 12.5}],
      next: '/api/products?page=2',
      count: 31,
    }),
    typed: ['Lamp'],
    args: {search: 'lamp'},
    first: {name: 'Lamp', price: 12.5},
    name: 'searchProducts',
  },
  {
    what: 'one thing by an id in the path',
    exchange: get('/api/books/b1', book),
    args: {bookId: 'b1'},
    first: {id: 'b1', title: 'Knots', tags: ['sea', 'work'], available: true, name: 'A. Rope'},
    name: 'getBook',
  },
  {
    what: 'an id before another part, and an extension',
    exchange: get('/rest/branches/12/hours.json', {hours: [{day: 'Monday', from: '9:00'}]}),
    args: {branchId: '12'},
    first: {day: 'Monday', from: '9:00'},
    name: 'getHours',
  },
  {
    what: 'an id with an extension',
    exchange: get('/items/8123.json', {title: 'Story', score: 3}),
    args: {itemId: '8123'},
    first: {title: 'Story', score: 3},
    name: 'getItem',
  },
  {
    what: 'GraphQL over POST',
    exchange: post(
      '/graphql',
      {
        operationName: 'SearchBooks',
        query: 'query SearchBooks($term: String!) {…}',
        variables: {term: 'rope', first: 10},
      },
      {data: {books: {edges: [{cursor: 'x', node: {title: 'Knots', year: 1999}}], pageInfo: {}}}},
    ),
    typed: ['rope'],
    args: {query: 'rope'},
    first: {cursor: 'x', title: 'Knots', year: 1999},
    name: 'searchBooks',
  },
  {
    what: 'GraphQL without a name, where nothing was typed',
    exchange: post(
      '/graphql',
      {query: '{branches {name}}', variables: {city: 'Bremen'}},
      {data: {branches: [{name: 'Central'}]}},
    ),
    args: {city: 'Bremen'},
    first: {name: 'Central'},
    name: 'sendData',
  },
  {
    what: 'JSON:API',
    exchange: get('/jsonapi/node/article?filter%5Bstatus%5D=1&filter%5Btitle%5D=rope&page%5Blimit%5D=5', {
      jsonapi: {version: '1.0'},
      data: [{type: 'node', id: '7f', attributes: {title: 'Knots', created: '2026-01-01'}}],
      links: {self: {href: '/x'}},
    }),
    typed: ['rope'],
    args: {filterTitle: 'rope'},
    first: {type: 'node', id: '7f', title: 'Knots', created: '2026-01-01'},
    name: 'searchArticle',
  },
  {
    what: 'HAL',
    exchange: get('/orders?status=open', {
      _links: {self: {href: '/orders'}},
      _embedded: {orders: [{_links: {self: {href: '/orders/1'}}, total: 30, currency: 'EUR'}]},
    }),
    args: {status: 'open'},
    first: {total: 30, currency: 'EUR', href: '/orders/1'},
    name: 'searchOrders',
  },
  {
    what: 'OData',
    exchange: get('/odata/Products?%24filter=Price%20lt%2020&%24top=5', {
      '@odata.context': 'x',
      value: [{'@odata.id': 'p1', Name: 'Lamp'}],
    }),
    args: {filter: 'Price lt 20', top: 5},
    first: {'@odata.id': 'p1', Name: 'Lamp'},
    name: 'searchProducts',
  },
  {
    what: 'GeoJSON',
    exchange: get('https://geo.example/search?q=bremen&format=geojson', {
      type: 'FeatureCollection',
      features: [
        {type: 'Feature', properties: {name: 'Bremen'}, geometry: {type: 'Point', coordinates: [8.8, 53]}},
      ],
    }),
    typed: ['Bremen'],
    args: {query: 'bremen'},
    first: {
      type: 'Feature',
      name: 'Bremen',
      'geometry type': 'Point',
      coordinates: [8.8, 53],
    },
    name: 'search',
  },
  {
    what: 'Elasticsearch',
    exchange: post(
      '/_search',
      {query: {match: {title: 'rope'}}, size: 10},
      {took: 3, hits: {total: {value: 1}, hits: [{_id: '1', _source: {title: 'Knots'}}]}},
    ),
    typed: ['rope'],
    args: {title: 'rope'},
    first: {_id: '1', title: 'Knots'},
    name: 'search',
  },
  {
    what: 'Algolia, with several searches in one body',
    exchange: post(
      'https://search.example/1/indexes/*/queries?x-algolia-api-key=abc',
      {requests: [{indexName: 'books', query: 'rope'}]},
      {results: [{hits: [{title: 'Knots'}], nbHits: 1}]},
    ),
    typed: ['rope'],
    args: {query: 'rope'},
    first: {title: 'Knots'},
    name: 'sendQueries',
  },
  {
    what: 'a list of different things (World Bank)',
    exchange: get('/v2/country/de/indicator?date=2020', [
      {page: 1, pages: 1},
      [{countryiso3code: 'DEU', date: '2020', value: 83}],
    ]),
    args: {date: '2020'},
    first: {countryiso3code: 'DEU', date: '2020', value: 83},
    name: 'searchIndicator',
  },
  {
    what: 'rows without names (OpenSky)',
    exchange: get('/api/states/all?extended=1', {time: 1, states: [['3c6444', 'DLH9', 8.5]]}),
    args: {extended: '1'},
    first: {value1: '3c6444', value2: 'DLH9', value3: 8.5},
    name: 'searchAll',
  },
  {
    what: 'columns (Open-Meteo)',
    exchange: get('/v1/forecast?latitude=53.08&longitude=8.8&daily=rain_sum', {
      daily: {time: ['2026-11-26'], rain_sum: [1.5]},
    }),
    args: {latitude: '53.08', longitude: '8.8', daily: 'rain_sum'},
    first: {time: ['2026-11-26'], rain_sum: [1.5]},
    name: 'searchForecast',
  },
  {
    what: 'a list of texts',
    exchange: get('/api/tags', ['sea', 'work']),
    args: {},
    first: ['sea', 'work'],
    name: 'getTags',
  },
  {
    what: 'names as keys',
    exchange: get('/latest?base=EUR', {base: 'EUR', rates: {USD: 1.1, GBP: 0.8}}),
    args: {base: 'EUR'},
    first: {base: 'EUR', USD: 1.1, GBP: 0.8},
    name: 'searchLatest',
  },
  {
    what: 'names with dots and spaces',
    exchange: get('/query?symbol=SAP', {'Global Quote': {'01. symbol': 'SAP', '05. price': '120'}}),
    args: {symbol: 'SAP'},
    first: {'01. symbol': 'SAP', '05. price': '120'},
    name: 'searchQuery',
  },
  {
    what: 'a list in a list',
    exchange: get('/departures?stop=main', {
      groups: [{line: '4', departures: [{at: '10:00'}, {at: '10:10'}]}],
    }),
    args: {stop: 'main'},
    first: {line: '4', at: ['10:00', '10:10']},
    name: 'searchDepartures',
  },
  {
    what: 'a form that is sent',
    exchange: {
      method: 'POST',
      address: `${site}/wp-admin/admin-ajax.php`,
      contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
      body: 'action=search_books&nonce=ab12cd&term=rope+%26+sail',
      answer: {success: true, data: [{title: 'Knots', link: '/b1'}]},
    },
    typed: ['rope & sail'],
    args: {query: 'rope & sail'},
    first: {title: 'Knots', link: '/b1'},
    name: 'sendAdminAjax',
  },
  {
    what: 'a form in parts, as the theme Dawn of Shopify adds to the cart',
    exchange: {
      method: 'POST',
      address: `${site}/cart/add`,
      body: multipartText([
        ['form_type', 'product'],
        ['utf8', '✓'],
        ['id', '45123456789012345678'],
        ['quantity', '2'],
        ['properties["Name"]', 'Ada\r\nLovelace'],
      ]),
      answer: {id: 45, title: 'Knots', quantity: 2},
    },
    typed: ['2', '45123456789012345678'],
    args: {id: '45123456789012345678', quantity: '2'},
    first: {id: 45, title: 'Knots', quantity: 2},
    name: 'sendAdd',
  },
  {
    what: 'a list of choices in the query',
    exchange: get('/api/rooms?size=big&feature=screen&feature=phone', {rooms: [{name: 'A'}]}),
    typed: ['screen', 'phone'],
    args: {feature: ['screen', 'phone']},
    first: {name: 'A'},
    name: 'searchRooms',
  },
  {
    what: 'a body with numbers, yes or no, an empty text and null',
    exchange: post(
      '/api/availability',
      {from: '2026-12-01', nights: 2, pets: false, code: '', owner: null, guests: [{age: 30}]},
      {available: true, price: {total: 180}},
    ),
    args: {from: '2026-12-01', nights: 2, pets: false, age: 30},
    first: {available: true, total: 180},
    name: 'sendAvailability',
  },
  {
    what: 'a change of one thing',
    exchange: {
      method: 'PATCH',
      address: `${site}/api/loans/77`,
      contentType: 'application/json',
      body: '{"renew":true}',
      answer: {due: '2026-12-24'},
    },
    args: {loanId: '77', renew: true},
    first: {due: '2026-12-24'},
    name: 'updateLoan',
  },
  {
    what: 'no content (204)',
    exchange: {method: 'DELETE', address: `${site}/api/holds/h12`},
    args: {holdId: 'h12'},
    first: 'Done.',
    name: 'removeHold',
    status: 204,
  },
  {
    what: 'text instead of JSON',
    exchange: get('/opening.txt?branch=central', 'Open from 9 to 5'),
    args: {branch: 'central'},
    first: 'Open from 9 to 5',
    name: 'searchOpening',
  },
  {
    what: '2 MB',
    exchange: get('/export/all?year=2026', {rows: many}),
    args: {year: '2026'},
    first: many[0],
    name: 'searchAll',
  },
  {
    what: 'members that are missing in some entries',
    exchange: get('/list?kind=dvd', {
      items: [{title: 'One'}, {title: null, year: 1999}, {title: 'Two', note: 'new'}],
    }),
    args: {kind: 'dvd'},
    first: {title: 'One', year: undefined, note: undefined},
    name: 'list',
  },
  {
    what: 'an id of many characters',
    exchange: get('/api/users/0b6f5d1e-7c1a-4d4e-9d0a-2b1f0c9e8a11/loans', {loans: [{title: 'Knots'}]}),
    args: {userId: '0b6f5d1e-7c1a-4d4e-9d0a-2b1f0c9e8a11'},
    first: {title: 'Knots'},
    name: 'getLoans',
  },
  {
    what: 'a token in the address, and a time against caches',
    exchange: get('/api/slots?day=2026-12-01&token=abc&_=1764130000', {slots: [{at: '9:00'}]}),
    args: {day: '2026-12-01'},
    first: {at: '9:00'},
    name: 'searchSlots',
  },
  {
    what: 'a path with spaces and other letters',
    exchange: get('/api/orte/K%C3%B6ln%20Mitte?stra%C3%9Fe=Ring', {orte: [{name: 'Ring 1'}]}),
    typed: ['Ring'],
    args: {strasse: 'Ring'},
    first: {name: 'Ring 1'},
    name: 'searchKolnMitte',
  },
  {
    what: 'the search of a shop, whose words are in a text',
    exchange: post(
      '/1/indexes/*/queries',
      {requests: [{indexName: 'products', params: 'query=rope&hitsPerPage=20&facets=%5B%22brand%22%5D'}]},
      {results: [{hits: [{name: 'Rope', price: 5}]}]},
    ),
    typed: ['rope'],
    args: {query: 'rope'},
    first: {name: 'Rope', price: 5},
    name: 'sendQueries',
  },
  {
    what: 'GraphQL in an address, with a stored operation',
    exchange: get(
      `/graphql/9f86d081884c7d65/SearchBooks?operationName=SearchBooks&variables=${encodeURIComponent('{"filter":{"words":"rope","first":10}}')}&extensions=${encodeURIComponent('{"persistedQuery":{"version":1,"sha256Hash":"9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015"}}')}`,
      {data: {books: [{title: 'Knots'}]}},
    ),
    typed: ['rope'],
    args: {words: 'rope'},
    first: {title: 'Knots'},
    name: 'searchBooks',
  },
  {
    what: 'tRPC',
    exchange: get(
      `/api/trpc/books.search?batch=1&input=${encodeURIComponent('{"0":{"json":{"text":"rope"}}}')}`,
      [{result: {data: [{title: 'Knots'}]}}],
    ),
    typed: ['rope'],
    args: {text: 'rope'},
    first: {title: 'Knots'},
    name: 'searchBooksSearch',
  },
]
