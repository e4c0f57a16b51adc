import {element} from './element.js'
import {fieldsFor} from './fields.js'

/**
 * The form of this page that is a tool of this name, if one is.
 * @param {string} name
 */
export function formOf(name) {
  return [...document.forms].find((form) => form.getAttribute('toolname') === name)
}

/**
 * A tool of this page: its description, and fields and a button that call it as an agent does.
 * @param {RegisteredTool} tool
 */
export function toolItem(tool) {
  const {name, title, description} = tool
  const summary = element(
    'summary',
    {},
    element('code', {}, name),
    element('span', {class: 'title'}, title ?? ''),
    element('span', {class: 'what'}, description),
    element('span', {class: 'badges'}, ...badges(tool)),
  )
  return element('li', {}, element('details', {'data-tool': name}, summary, tryIt(tool)))
}

/** @param {RegisteredTool} tool */
function badges({name, annotations = {}}) {
  const {readOnlyHint, consequentialHint, untrustedContentHint} = annotations
  const form = formOf(name)
  const waits = form && !form.hasAttribute('toolautosubmit')
  return [
    readOnlyHint && badge('calm', 'only reads', 'readOnlyHint'),
    consequentialHint && badge('grave', 'consequential', 'consequentialHint: agents ask first'),
    untrustedContentHint &&
      badge('wary', 'untrusted content', 'untrustedContentHint: contains text by other people'),
    form && badge('form', 'form', 'toolname'),
    form &&
      (waits
        ? badge('form', 'you submit', 'no toolautosubmit')
        : badge('form', 'submits itself', 'toolautosubmit')),
  ].filter((part) => part instanceof Node)
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {string} term what WebMCP calls it
 */
function badge(kind, text, term) {
  return element('span', {class: `badge ${kind}`, title: term}, text)
}

/** @param {RegisteredTool} tool */
function tryIt({name, inputSchema}) {
  const {parts, check, read} = fieldsFor(inputSchema, `try-${name}`)
  const call = element('button', {type: 'button'}, 'Call it')
  const stop = element('button', {type: 'button', class: 'stop', hidden: true}, 'Stop')
  const answer = element('pre', {
    role: 'status',
    tabindex: 0,
    'aria-label': `Result of ${name}`,
    hidden: true,
  })
  // Not a form: audits of the page would list it as one that is not a tool.
  const group = element(
    'div',
    {class: 'try', role: 'group', 'aria-label': `Call ${name}`},
    ...parts,
    element('div', {class: 'buttons'}, call, stop),
    answer,
  )

  /**
   * @param {'waiting' | 'answer' | 'failure'} kind
   * @param {string} text
   */
  const say = (kind, text) => {
    answer.hidden = false
    answer.className = kind
    answer.textContent = text
    answer.scrollIntoView({block: 'nearest'})
  }

  group.addEventListener('keydown', ({key, target}) => {
    if (key === 'Enter' && target instanceof HTMLInputElement) call.click()
  })
  call.addEventListener('click', async () => {
    if (!check()) return
    const control = new AbortController()
    stop.onclick = () => control.abort()
    call.disabled = true
    stop.hidden = false
    const filled = formOf(name)
    say(
      'waiting',
      filled && !filled.hasAttribute('toolautosubmit')
        ? 'The form is filled in. Press its button to submit it.'
        : 'Calling the tool…',
    )
    try {
      say(...readable(await execute(name, read(), control.signal)))
    } catch (error) {
      say('failure', control.signal.aborted ? 'Stopped.' : failureText(error))
    } finally {
      call.disabled = false
      stop.hidden = true
    }
  })
  return group
}

/**
 * @param {string} name
 * @param {object} args
 * @param {AbortSignal} signal
 */
async function execute(name, args, signal) {
  const tools = (await document.modelContext?.getTools()) ?? []
  // Query the tools again, because the listed one may have been replaced.
  const tool = tools.find((candidate) => candidate.name === name)
  if (!tool) throw new Error('The tool is no longer registered.')
  return document.modelContext?.executeTool(tool, args, {signal})
}

/**
 * An answer as people read it: the browser gives JSON. The snippet returns errors as MCP does.
 * @param {string | null | undefined} answer
 * @returns {['answer' | 'failure', string]}
 */
function readable(answer) {
  if (answer === null || answer === undefined) return ['answer', 'The tool returned nothing.']
  try {
    const value = JSON.parse(answer)
    if (value?.isError === true) return ['failure', String(value.content?.[0]?.text)]
    return ['answer', typeof value === 'string' ? value : JSON.stringify(value, null, 2)]
  } catch {
    return ['answer', answer]
  }
}

/** @param {unknown} error */
function failureText(error) {
  const text = error instanceof Error ? error.message : String(error)
  // The browser only tells scripts that a form or a tool of the page itself failed.
  return error instanceof DOMException && error.name === 'UnknownError'
    ? `${text}\n\nThe browser's console shows the error of the tool itself.`
    : text
}
