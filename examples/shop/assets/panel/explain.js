import {element} from './element.js'

/** @param {...(Node | string)} content */
const paragraph = (...content) => element('p', {}, ...content)

/** @param {string} text */
const code = (text) => element('code', {}, text)

/** What a browser without WebMCP is told. */
export function withoutWebMcp() {
  return [
    paragraph(
      'This browser has no WebMCP, so an agent finds no tools here. In Chrome or Chromium, 156 or newer, turn it on:',
    ),
    element(
      'ol',
      {},
      element('li', {}, 'open ', code('chrome://flags/#enable-webmcp-testing'), ', enable it and relaunch,'),
      element('li', {}, 'or start the browser with ', code('--enable-features=WebMCP'), '.'),
    ),
    paragraph('The address below shows what this page would register.'),
  ]
}

/**
 * Why a page has no tools, as far as the snippet knows.
 * @param {string} site
 */
export function withoutTools(site) {
  const known = window.handrail?.sites?.[site]
  if (!known) {
    return document.readyState === 'complete'
      ? [paragraph('The snippet did not load: is the service running?')]
      : [paragraph('Waiting for the snippet…')]
  }
  if (known.state === 'loading') return [paragraph('Loading the tools…')]
  if (known.state === 'ready') return [paragraph('The site has no tool for this page.')]
  if (!known.error?.includes('404')) {
    return [paragraph(`The service gave no tools: ${known.error ?? 'it does not say why'}.`)]
  }
  return [
    paragraph('The content has no site of the public identifier ', code(site), '.'),
    paragraph(
      'This shop belongs to the demo content, with which an empty ',
      code('CONTENT_DIR'),
      ' is filled at the first start. In Studio, a site of that identifier brings its tools here, too.',
    ),
  ]
}

/**
 * What the snippet had to leave out, if anything.
 * @param {string} site
 */
export function leftOut(site) {
  const problems = Object.entries(window.handrail?.sites?.[site]?.problems ?? {})
  if (problems.length === 0) return []
  const lines = problems.map(([name, why]) => element('li', {}, code(name), `: ${why}`))
  return [element('h3', {}, 'Left out'), element('ul', {}, ...lines)]
}
