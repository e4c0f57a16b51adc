/**
 * The panel next to the page: shows which tools an agent currently finds there. It queries the browser rather
 * than the snippet, so it lists all registered tools, regardless of who registered them.
 */
import {element} from './element.js'
import {leftOut, withoutTools, withoutWebMcp} from './explain.js'
import {formOf, toolItem} from './tool.js'

/** Whether the panel covers the page instead of standing next to it. panel.css has the same query. */
const narrow = matchMedia('(max-width: 68rem)')

const panel = document.getElementById('webmcp')
const snippet = document.querySelector('script[data-site]')
const site = snippet?.getAttribute('data-site') ?? ''
const {modelContext} = document

const place = element('p')
const fold = element('button', {type: 'button', class: 'fold', 'aria-controls': 'webmcp'})
const note = element('div')
const list = element('ul', {class: 'tools'})
const missing = element('div')
const again = element('button', {type: 'button', class: 'again', hidden: true}, 'Refresh')
const config = element('a', {target: '_blank', rel: 'noopener'})

/**
 * Items by the complete description of a tool. While that is unchanged, the item and its typed values stay.
 */
let items = new Map()

let isFolded = sessionStorage.getItem('panel') === 'folded' || narrow.matches
let turn = Promise.resolve()

async function draw() {
  const tools = (await modelContext?.getTools()) ?? []
  items = new Map(
    tools.map((tool) => {
      const key = keyOf(tool)
      return [key, items.get(key) ?? toolItem(tool)]
    }),
  )
  const shown = [...items.values()]
  if (shown.length !== list.children.length || shown.some((item, index) => item !== list.children[index])) {
    list.replaceChildren(...shown)
  }
  if (!modelContext) note.replaceChildren(...withoutWebMcp())
  else note.replaceChildren(...(shown.length === 0 ? withoutTools(site) : []))
  missing.replaceChildren(...leftOut(site))
  place.textContent = modelContext ? `${count()} on ${location.pathname}` : 'not available'
  again.hidden = !window.handrail
  config.href = configAddress()
  config.textContent = `the config of ${location.pathname}`
  drawFold()
}

function drawFold() {
  panel?.classList.toggle('folded', isFolded)
  fold.textContent = isFolded ? `WebMCP: ${modelContext ? count() : 'off'}` : 'Hide'
  fold.setAttribute('aria-expanded', String(!isFolded))
}

/** Queues a redraw, so that the latest state is shown last. */
function update() {
  turn = turn.then(draw).catch(reportError)
}

/** @param {RegisteredTool} tool */
function keyOf({name, title, description, inputSchema, annotations}) {
  const autosubmit = formOf(name)?.hasAttribute('toolautosubmit')
  return JSON.stringify([name, title, description, inputSchema, annotations, autosubmit])
}

function count() {
  return items.size === 1 ? '1 tool' : `${items.size} tools`
}

/** The URL of the config for this page. */
function configAddress() {
  const service = new URL('.', snippet?.getAttribute('src') ?? location.href)
  const address = new URL(`api/sites/${encodeURIComponent(site)}/config`, service)
  address.searchParams.set('path', location.pathname)
  return address.href
}

const heading = element('div', {}, element('h2', {}, 'WebMCP on this page'), place)
// Before the first paint, which waits for this module: a panel that changes its size later shifts the page.
drawFold()
panel?.append(
  element('div', {class: 'panel-head'}, heading, fold),
  element('div', {class: 'panel-body'}, note, list, missing),
  element('div', {class: 'panel-foot'}, element('span', {}, 'From the service: ', config), again),
)
fold.addEventListener('click', () => {
  isFolded = !isFolded
  sessionStorage.setItem('panel', isFolded ? 'folded' : 'open')
  drawFold()
})
again.addEventListener('click', () => void window.handrail?.refresh())
addEventListener('keydown', ({key}) => {
  if (key === 'Escape' && !isFolded && narrow.matches) fold.click()
})
addEventListener('handrail', update)
addEventListener('load', update)
// Without WebMCP, there is no other event for a new page.
document.addEventListener('page:shown', update)
modelContext?.addEventListener('toolchange', update)
update()
