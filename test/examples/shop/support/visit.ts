import type {TestContext} from 'node:test'
import {startShop} from '../../../../examples/shop/shop.ts'
import {listeningLog} from '../../../support/log.ts'

/** Opens a new shop for one test. */
export async function openShop(t: TestContext) {
  const {log, lines} = listeningLog()
  const shop = await startShop({
    host: '127.0.0.1',
    port: 0,
    serviceOrigin: 'http://service.example',
    publicId: 'demo-shop',
    logger: log,
  })
  t.after(() => shop.close())
  return {
    address: shop.address,
    /** The emails that were sent. */
    mails: () => lines.flatMap(({mail}) => (mail === undefined ? [] : [mail])),
    visitor: () => new Visitor(shop.address),
  }
}

type Line = {productId: string; name: string; size?: string; quantity: number; price: number; sum: number}

/** The union of the API's responses: each response has some of these members. */
type ApiBody = {
  products: {id: string; price: number}[]
  total: number
  description: string
  sizes: string[]
  rating: number | null
  stock: number
  product: {id: string; name: string}
  /** The reviews of a product, or their number. */
  reviews: {author: string; date: string}[] | number
  lines: Line[]
  count: number
  number: string
  url: string
  name: string
  address: string
  email: string
  error: {code: string; message: string}
}

/** A visitor with a browser: keeps cookies, does not follow redirects. */
class Visitor {
  cookie: string | undefined
  readonly #address: string

  constructor(address: string) {
    this.#address = address
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.cookie !== undefined) headers.set('cookie', this.cookie)
    const answer = await fetch(this.#address + path, {redirect: 'manual', ...init, headers})
    const [cookie] = answer.headers.getSetCookie()
    if (cookie !== undefined) this.cookie = cookie.split(';')[0]
    return answer
  }

  /** Status and JSON of an API response. A body is sent as JSON. */
  async api(path: string, body?: unknown) {
    const headers = {'content-type': 'application/json'}
    const init = body === undefined ? {} : {method: 'POST', headers, body: JSON.stringify(body)}
    const answer = await this.ask(path, init)
    const parsed: ApiBody = JSON.parse(await answer.text())
    return {status: answer.status, body: parsed}
  }

  /** Submits a form as a page without JavaScript does. */
  submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    return this.ask(path, {method: 'POST', body: new URLSearchParams(fields), headers})
  }

  async page(path: string): Promise<string> {
    return (await this.ask(path)).text()
  }
}
