import {element} from './element.js'

/** @param {...(Node | string)} content */
const paragraph = (...content) => element('p', {}, ...content)

/** @param {string} text */
const code = (text) => element('code', {}, text)

/** Shown in a browser without WebMCP. */
export function withoutWebMcp() {
  return [
    paragraph(
      'This browser does not support WebMCP, so agents find no tools here. In Chrome or Chromium, 156 or newer, turn it on:',
    ),
    element(
      'ol',
      {},
      element('li', {}, 'open ', code('chrome://flags/#enable-webmcp-testing'), ', enable it and relaunch,'),
      element('li', {}, 'or start the browser with ', code('--enable-features=WebMCP'), '.'),
    ),
    paragraph('Open this URL to see the tools that this page would register.'),
  ]
}

/**
 * Why a page has no tools, if the snippet knows.
 * @param {string} site
 */
export function withoutTools(site) {
  const known = window.handrail?.sites?.[site]
  if (!known) {
    return document.readyState === 'complete'
      ? [paragraph('The snippet did not load. Is the service running?')]
      : [paragraph('Waiting for the snippet…')]
  }
  if (known.state === 'loading') return [paragraph('Loading the tools…')]
  if (known.state === 'ready') return [paragraph('The site has no tools for this page.')]
  if (!known.error?.includes('404')) {
    return [paragraph(`The service returned no tools: ${known.error ?? 'the reason is not known'}.`)]
  }
  return [
    paragraph('The content has no site with the public ID ', code(site), '.'),
    paragraph(
      'This shop needs the demo content, which an empty ',
      code('CONTENT_DIR'),
      ' gets at the first start. Or add a site with this public ID in Studio, and its tools appear here.',
    ),
  ]
}

/**
 * What the snippet skipped, if anything.
 * @param {string} site
 */
export function leftOut(site) {
  const problems = Object.entries(window.handrail?.sites?.[site]?.problems ?? {})
  if (problems.length === 0) return []
  const lines = problems.map(([name, why]) => element('li', {}, code(name), `: ${why}`))
  return [element('h3', {}, 'Skipped'), element('ul', {}, ...lines)]
}
