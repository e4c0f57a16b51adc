import type {Call} from '../calls.ts'
import {ALLOW_AFTER, ANSWER_WITHIN, TICK} from './limits.ts'
import {cutShort, type Row, rowsOf, textsIn} from './texts.ts'

/**
 * The element around the dialog. It also says that there is a question, whichever snippet asks. Content of the page is in
 * `body`, and cannot pass for it.
 */
const NAME = 'handrail-ask'

/** Only system colors, so that forced ones are right, too. Nothing moves. */
const STYLE = `:host{all:initial!important}
dialog{color-scheme:light dark;width:30em;padding:0 1em;border:1px solid;border-radius:8px;font:medium/1.5 system-ui;overflow-wrap:anywhere}
::backdrop{background:#0008}
h2,h3{font-size:1.2em}
dt{font-weight:700}dt,dd{overflow:hidden}
dd{white-space:pre-wrap;border-left:3px solid;margin:0 0 1em;padding-left:1em}
p{position:sticky;bottom:0;display:flex;flex-wrap:wrap;gap:1em;margin:0;padding:1em 0;background:Canvas}
button{font:inherit}p>button{flex:auto;padding:.6em}
button:focus{outline:3px solid}`

/**
 * Asks the visitor whether an agent may call a tool, in a dialog above the page.
 * @param json the arguments. What is shown is what the script gets: nothing else can change it in the meantime.
 * @returns the arguments, if the visitor allows the call.
 * @throws Error what the agent is told, or why the call was cancelled.
 */
export async function ask({tool, options: {signal}, latest}: Call, json: string): Promise<unknown> {
  // A second dialog would be under the pointer of a visitor who answers the first one.
  if (document.querySelector(`html>${NAME}`)) throw new Error('The visitor is deciding about another call.')

  const args: unknown = JSON.parse(json)
  const {href} = location
  const end = performance.now() + ANSWER_WITHIN
  const {known, unknown} = rowsOf(args, tool.inputSchema)
  const [lang, question, no, yes, others, all] = textsIn(document.documentElement.lang)
  const host = document.createElement(NAME)
  const root = host.attachShadow({mode: 'open'})
  // Policies of pages forbid inline styles, but not these.
  const style = new CSSStyleSheet()
  style.replaceSync(STYLE)
  root.adoptedStyleSheets = [style]

  const dialog = add(root, 'dialog')
  dialog.lang = lang
  dialog.role = 'alertdialog'
  dialog.ariaLabelledByElements = [
    add(
      dialog,
      'h2',
      question.replace('*', () => `${tool.title}`),
    ),
  ]
  /** Adds arguments. More of one moves what is below it, so that the next click may be meant for something else. */
  const addList = (rows: readonly Row[], name: 'span' | 'code') => {
    const list = add(dialog, 'dl')
    for (const [title, value] of rows) {
      add(add(list, 'dt'), name, title)
      const short = cutShort(value)
      const shown = add(list, 'dd', short)
      if (short === value) continue
      const button = add(list, 'dd')
      add(button, 'button', all).onclick = () => {
        button.remove()
        shown.textContent = value
        shown.tabIndex = -1
        shown.focus()
        restart()
      }
    }
    return list
  }
  const described: HTMLElement[] = [addList(known, 'span')]
  if (unknown.length) described.push(add(dialog, 'h3', others), addList(unknown, 'code'))
  dialog.ariaDescribedByElements = described
  const buttons = add(dialog, 'p')
  const down = add(buttons, 'button', '↓')
  down.onclick = () => dialog.scrollBy(0, dialog.clientHeight / 2)
  const decline = add(buttons, 'button', no)
  const allow = add(buttons, 'button', yes)
  let readyAt: number
  /** The visitor has not seen all of it yet. */
  const restart = () => {
    readyAt = performance.now() + ALLOW_AFTER
    down.hidden = false
    notice()
  }
  /** The visitor may allow the call once they could read the end of the list. */
  const notice = () => {
    if (dialog.scrollTop + dialog.clientHeight > dialog.scrollHeight - 2) down.hidden = true
    allow.disabled = !down.hidden || performance.now() < readyAt
  }

  let timer: ReturnType<typeof setInterval> | undefined
  try {
    return await new Promise((resolve, reject) => {
      const tell = (message: string) => reject(new Error(message))
      const leave = () => tell('The page changed.')
      const look = () => {
        notice()
        if (signal.aborted) reject(signal.reason)
        if (location.href !== href || !host.isConnected || !latest()) leave()
        if (performance.now() > end) tell('The visitor did not answer in time.')
      }
      allow.onclick = ({isTrusted, timeStamp}) => {
        // Only a person, or what operates the browser for them, and no script of the page. A click may have waited.
        if (!isTrusted || timeStamp < readyAt) return
        look()
        resolve(args)
      }
      // The dialog is closed by Escape.
      decline.onclick = dialog.onclose = () => tell('The visitor declined.')
      // The agent's call ends then, but the back/forward cache would keep the question.
      addEventListener('pagehide', leave, {once: true})
      // At once: the next call may follow.
      signal.addEventListener('abort', look)
      document.documentElement.append(host)
      dialog.showModal()
      decline.focus()
      // The focus scrolls to the end, which the visitor has not read.
      dialog.scrollTop = 0
      restart()
      look()
      timer = setInterval(look, TICK)
    })
  } finally {
    clearInterval(timer)
    // Gives the focus back.
    dialog.close()
    host.remove()
  }
}

/** Adds an element. Its text may be in another language and direction than the page. */
function add<K extends keyof HTMLElementTagNameMap>(
  parent: ParentNode,
  name: K,
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  element.dir = 'auto'
  element.textContent = text
  parent.append(element)
  return element
}
