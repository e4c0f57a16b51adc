import type {Call} from '../calls.ts'
import {ANSWER_WITHIN, TICK} from './limits.ts'
import {rowsOf, textsIn} from './texts.ts'

/** The element around the dialog. It also says that there is a question, whichever snippet asks. */
const NAME = 'handrail-ask'

/** Only system colors, so that forced ones are right, too. Nothing moves. */
const STYLE = `:host{all:initial!important}
dialog{color-scheme:light dark;width:30em;padding:0 1em;border:1px solid;border-radius:8px;font:medium/1.5 system-ui;overflow-wrap:anywhere}
::backdrop{background:#0008}
h2{font-size:1.2em}dt{font-weight:700}dd{white-space:pre-wrap}
p{position:sticky;bottom:0;display:flex;flex-wrap:wrap;gap:1em;margin:0;padding:1em 0;background:Canvas}
button{flex:auto;padding:.6em;font:inherit}
:focus{outline:3px solid}`

/**
 * Asks the visitor whether an agent may call a tool, in a dialog above the page.
 * @param json the arguments. What is shown is what the script gets: nothing else can change it in the meantime.
 * @returns the arguments, if the visitor allows the call.
 * @throws Error what the agent is told, or why the call was cancelled.
 */
export async function ask({tool, options: {signal}, latest}: Call, json: string): Promise<unknown> {
  // A second dialog would be under the pointer of a visitor who answers the first one.
  if (document.querySelector(NAME)) throw new Error('The visitor is deciding about another call.')

  const args = JSON.parse(json)
  const {href} = location
  const end = Date.now() + ANSWER_WITHIN
  const [lang, question, no, yes] = textsIn(document.documentElement.lang)
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
  const list = add(dialog, 'dl')
  dialog.ariaDescribedByElements = [list]
  for (const [title, value] of rowsOf(args, tool.inputSchema)) {
    add(list, 'dt', title)
    add(list, 'dd', value)
  }
  const buttons = add(dialog, 'p')
  const decline = add(buttons, 'button', no)
  const allow = add(buttons, 'button', yes)

  let timer: ReturnType<typeof setInterval> | undefined
  try {
    return await new Promise((resolve, reject) => {
      const tell = (message: string) => reject(new Error(message))
      const leave = () => tell('The page changed.')
      const look = () => {
        if (signal.aborted) reject(signal.reason)
        if (location.href !== href || !host.isConnected || !latest()) leave()
        if (Date.now() > end) tell('The visitor did not answer in time.')
      }
      allow.onclick = ({isTrusted}) => {
        // Only a person, or what operates the browser for them, and no script of the page.
        if (!isTrusted) return
        look()
        resolve(args)
      }
      // The dialog is closed by Escape.
      decline.onclick = dialog.onclose = () => tell('The visitor declined.')
      // The agent's call ends then, but the back/forward cache would keep the question.
      addEventListener('pagehide', leave, {once: true})
      document.documentElement.append(host)
      dialog.showModal()
      decline.focus()
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
