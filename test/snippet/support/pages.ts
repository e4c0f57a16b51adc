import assert from 'node:assert/strict'
import {eventually} from '../../support/eventually.ts'
import {words} from '../../support/words.ts'
import type {Stage, Visit} from './stage.ts'
import type {WebPage} from './website.ts'

/** A page as some framework, plugin or library makes it. */
export type Made = {
  name: string
  page: (service: string) => WebPage
  /** What happens until the tools are there. */
  act?: (visit: Visit, stage: Stage) => Promise<unknown>
  /** Names of the tools, if not that of every page. */
  tools?: string[]
  /** The console may have these lines. */
  lines?: RegExp[]
  /** Whether it returns from the back/forward cache. */
  isCached?: boolean
}

const tagOf = (service: string, attributes = 'async', query = '') =>
  `<script ${attributes} src="${service}/snippet.js${query}" data-site="shop-public"></script>`

/** Navigates as routers do, and fills in the page. */
const ROUTER = `
  const go = (path) => { history.pushState({}, '', path); render() }
  const render = () => { document.querySelector('#app').innerHTML = '<h1>' + location.pathname + '</h1>' }
  render()`

/** Runs the text of the snippet elsewhere, so that \`document.currentScript\` is null. */
const runText = (service: string) =>
  `<script>fetch('${service}/snippet.js').then((answer) => answer.text()).then((text) => (0, eval)(text))</script>`

const CLOBBERED = words('modelContext currentScript querySelector querySelectorAll hidden addEventListener')

export const PAGES: Made[] = [
  {
    name: 'Next.js: a script after hydration, and a router that changes the path',
    page: (service) => ({
      head: `<script>self.__next_f = []; addEventListener('load', () => {
        const tag = Object.assign(document.createElement('script'), {src: '${service}/snippet.js', async: true})
        tag.setAttribute('data-nscript', 'afterInteractive')
        tag.dataset.site = 'shop-public'
        document.body.append(tag)
      })</script>`,
      body: `<div id="app"></div><script>${ROUTER}</script>`,
    }),
    act: async ({page, agent}) => {
      await agent.sees('everywhere')
      await page.evaluate('go("/0/red")')
    },
    tools: ['everywhere', 'red'],
  },
  {
    name: 'Astro: view transitions that exchange head and body, and run the scripts again',
    page: (service) => ({head: tagOf(service), body: '<h1>One</h1>'}),
    act: async ({page, agent}) => {
      await agent.sees('everywhere')
      await page.evaluate(`(() => {
        history.pushState({}, '', '/1/red')
        const head = document.head.cloneNode(true), body = document.createElement('body')
        body.innerHTML = '<h1>Two</h1>'
        document.head.replaceWith(head)
        document.body.replaceWith(body)
        for (const old of document.scripts) {
          const tag = document.createElement('script')
          for (const {name, value} of old.attributes) tag.setAttribute(name, value)
          old.replaceWith(tag)
        }
      })()`)
    },
    tools: ['everywhere', 'red'],
  },
  {
    name: 'Vue: a mounted app, and a module script',
    page: (service) => ({
      head: tagOf(service, 'type="module"'),
      body: `<div id="app"></div><script>${ROUTER}</script>`,
    }),
    act: ({page}) => page.evaluate('go("/2/red")'),
    tools: ['everywhere', 'red'],
  },
  {
    name: 'Turbo: another body, whose scripts run again',
    page: (service) => ({head: '', body: `<h1>One</h1>${tagOf(service)}`}),
    act: async ({page, agent}) => {
      await agent.sees('everywhere')
      await page.evaluate(`(() => {
        const src = document.querySelector('script[data-site]').src
        for (const path of ['/3/blue', '/3/red']) {
          history.pushState({}, '', path)
          const body = document.createElement('body')
          const tag = Object.assign(document.createElement('script'), {src})
          tag.dataset.site = 'shop-public'
          body.append(tag)
          document.body.replaceWith(body)
        }
      })()`)
    },
    tools: ['everywhere', 'red'],
  },
  {
    name: 'Prototype and MooTools: other functions in place of built-in ones',
    page: (service) => ({
      head: `<script>
        Array.from = (items) => [].concat(items?.toArray?.() ?? Array.prototype.slice.call(items))
        Array.prototype.entries = Array.prototype.toArray = function () { return this.slice() }
        Function.prototype.bind = function (self) { const run = this; return function () { return run.apply(self, arguments) } }
        const {prototype} = Element
        Element = function () {}
        Element.prototype = prototype
      </script>${tagOf(service)}`,
    }),
    act: async ({site, agent}) => {
      await agent.sees('everywhere')
      await eventually(site, ({state}) => state === 'ready')
      assert.deepEqual((await site()).tools, ['everywhere'])
    },
  },
  {
    name: 'built-in functions that break after the start',
    page: (service) => ({head: tagOf(service)}),
    act: async ({page, agent, site}, stage) => {
      await agent.sees('everywhere')
      await page.evaluate(`(() => {
        const broken = () => { throw new Error('broken by the page') }
        JSON.parse = JSON.stringify = Array.from = Promise.all = Promise.resolve = broken
        fetch = addEventListener = setTimeout = clearTimeout = URL = broken
        history.pushState = history.replaceState = broken
        Element.prototype.getAttribute = Document.prototype.querySelector = broken
        document.addEventListener = broken
      })()`)
      stage.forgetRequests()
      await page.evaluate('void handrail.refresh()')
      await stage.requested('GET /5 304')
      assert.deepEqual([(await site()).state, (await site()).error], ['ready', undefined])
    },
  },
  {
    name: 'frozen prototypes',
    page: (service) => ({
      head: `<script>for (const type of [Object, Array, Function, Promise, Map, Set, Error, String, EventTarget, Node, Element, Document])
        Object.freeze(type), Object.freeze(type.prototype)
        Object.freeze(JSON), Object.freeze(Reflect)</script>${tagOf(service)}`,
    }),
    act: async ({agent}) => {
      await agent.sees('everywhere')
      assert.deepEqual(await agent.call('everywhere', {query: 'rope'}), {status: 'Completed', output: 'rope'})
    },
  },
  {
    name: 'elements and fields named like members of document and form',
    page: (service) => ({
      head: tagOf(service, 'defer'),
      body: `${CLOBBERED.map((name) => `<img name="${name}" alt="">`).join('')}
        <a id="handrail"></a><a id="handrail" name="sites"></a><a id="handrail" name="refresh"></a>
        <form id="contact">${['message', 'getAttribute', 'setAttribute', 'elements', 'id'].map((name) => `<input name="${name}">`).join('')}</form>`,
    }),
    tools: ['contactUs', 'everywhere'],
  },
  {
    name: 'variables named like built-in ones',
    page: (service) => ({
      head: `<script>var URL = '/shop', navigation = ['Home'], status = 1, name = 'x', handrail = {brand: 'oak'}</script>${tagOf(service)}`,
    }),
    act: async ({page, agent}) => {
      await agent.sees('everywhere')
      await page.evaluate('history.pushState({}, "", "/8/red")')
    },
    tools: ['everywhere', 'red'],
  },
  {
    name: 'a fetch that adds headers, as Sentry, OpenTelemetry, Datadog, New Relic and API clients do',
    page: (service) => ({
      head: `<script>
        const {fetch: own} = window
        window.fetch = (input, options = {}) => own(input, {...options, headers: {
          'sentry-trace': '00-1', baggage: 'sentry-environment=production', traceparent: '00-1-2-01', tracestate: 'a=b',
          b3: '1-2-1', 'x-datadog-trace-id': '1', 'x-datadog-parent-id': '2', 'x-datadog-origin': 'rum',
          'x-datadog-sampling-priority': '1', newrelic: 'e30=', authorization: 'Bearer of-the-page', 'x-requested-with': 'x',
        }})
      </script>${tagOf(service)}`,
    }),
  },
  {
    name: 'Tag Manager: the tag is created again without its data attributes',
    page: (service) => ({
      head: `<script>
        const html = '<script src="${service}/snippet.js?site=shop-public" data-site="dropped"><\\/script>'
        const {src} = new DOMParser().parseFromString(html, 'text/html').querySelector('script')
        document.head.append(Object.assign(document.createElement('script'), {src, async: true}))
      </script>`,
    }),
  },
  {
    name: 'Rocket Loader: the tag has another type, and its text is run later',
    page: (service) => ({head: tagOf(service, 'type="0123-text/javascript" defer') + runText(service)}),
  },
  {
    // A key, because a page may get a mousemove before the test moves the mouse.
    name: 'WP Rocket: the tag is created from its attributes at the first interaction',
    page: (service) => ({
      head: `<script type="rocketlazyloadscript" data-rocket-src="${service}/snippet.js" data-site="shop-public"></script>
        <script>addEventListener('keydown', () => {
          const old = document.querySelector('script[type=rocketlazyloadscript]')
          const tag = document.createElement('script')
          for (const {name, value} of old.attributes) if (name !== 'type') tag.setAttribute(name.replace('data-rocket-', ''), value)
          old.replaceWith(tag)
        }, {once: true})</script>`,
    }),
    act: async ({page, agent}) => {
      assert.deepEqual(await agent.names(), [])
      await page.keyboard.press('Tab')
    },
  },
  {
    name: 'a consent manager: no script, and a fetch that waits, before consent',
    page: (service) => ({
      head: `${tagOf(service, 'type="text/plain" data-category="functional"', '?site=shop-public')}<script>
        const {fetch: own} = window, agreed = new Promise((resolve) => (globalThis.agree = resolve))
        window.fetch = async (...request) => { await agreed; return own(...request) }
        const old = document.querySelector('script[data-category]')
        const tag = Object.assign(document.createElement('script'), {src: old.src})
        document.head.append(tag)
      </script>`,
    }),
    act: async ({page, agent, knownSite}) => {
      await eventually(knownSite, (known) => known?.state === 'loading')
      assert.deepEqual(await agent.names(), [])
      await page.evaluate('agree()')
    },
  },
  {
    name: 'a document that is written again, hidden and shown',
    page: (service) => ({head: tagOf(service)}),
    act: async ({page, agent, site}, stage) => {
      await agent.sees('everywhere')
      await eventually(site, ({state}) => state === 'ready')
      await page.evaluate(
        'document.open(), document.write("<title>Again</title><p>Written"), document.close()',
      )
      const show = (isShown: boolean) =>
        page.evaluate(`Object.defineProperty(Document.prototype, 'hidden', {configurable: true, value: ${!isShown}})
          document.dispatchEvent(new Event('visibilitychange'))`)
      stage.forgetRequests()
      await show(false)
      await page.clock.fastForward(600_000)
      assert.deepEqual(stage.configRequests(), [])
      await show(true)
      await page.clock.fastForward(1)
      await stage.requested('GET /14 304')
    },
  },
  {
    name: 'a frame with a sandbox, which has no tools of its own',
    page: (service) => ({
      head: tagOf(service),
      body: `<iframe sandbox="allow-scripts" srcdoc='${tagOf(service)}'></iframe>`,
    }),
    lines: [/no config|problem with|Permissions policy|not allowed/],
  },
  {
    name: 'a service worker that passes on every request',
    page: (service) => ({
      head: `<script>navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(async () => {
        while (!navigator.serviceWorker.controller) await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, {once: true}))
        document.head.insertAdjacentHTML('beforeend', '<meta name="controlled">')
        document.head.append(Object.assign(document.createElement('script'), {src: '${service}/snippet.js?site=shop-public'}))
      })</script>`,
    }),
  },
  {
    name: 'the back/forward cache',
    isCached: true,
    page: (service) => ({head: tagOf(service)}),
    act: async ({page, agent}, stage) => {
      await agent.sees('everywhere')
      await page.evaluate('globalThis.isSame = true')
      await page.goto(`${stage.website.address}/17/red`)
      await agent.sees('everywhere', 'red')
      await page.goBack({waitUntil: 'commit'})
      assert.equal(await page.evaluate('globalThis.isSame'), true)
    },
  },
  {
    // As a prerendered page sees itself: Playwright does not let Chromium prerender.
    name: 'prerendering: a page that is hidden until it is opened',
    page: (service) => ({
      head: `<script>for (const member of ['hidden', 'prerendering'])
        Object.defineProperty(Document.prototype, member, {configurable: true, get: () => !globalThis.isOpen})</script>${tagOf(service)}`,
    }),
    act: async ({page, agent}) => {
      await agent.sees('everywhere')
      await page.evaluate(`globalThis.isOpen = true
        for (const type of ['prerenderingchange', 'visibilitychange']) document.dispatchEvent(new Event(type))`)
    },
  },
  {
    name: 'web components with a shadow root',
    page: (service) => ({
      head: tagOf(service),
      body: `<shop-page><template shadowrootmode="closed"><form><input name="q"></form>${tagOf(service)}</template></shop-page>`,
    }),
  },
  {
    name: 'strict policies: a nonce, Trusted Types, and isolation from other origins',
    page: (service) => ({
      head: tagOf(service, 'async nonce="abc" crossorigin'),
      headers: {
        'content-security-policy': `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src ${service}; require-trusted-types-for 'script'; trusted-types 'none'`,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'referrer-policy': 'no-referrer',
      },
    }),
    act: async ({agent}) => {
      await agent.sees('everywhere')
      assert.equal((await agent.call('everywhere', {query: 'rope'})).output, 'rope')
    },
    lines: [/Content Security Policy|Trusted/i],
  },
]
