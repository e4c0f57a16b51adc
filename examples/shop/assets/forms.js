/**
 * Submits forms without leaving the page. Without this script they lead to another page. If an agent filled
 * in the form, `agentInvoked` is set, and `respondWith` sends the agent the text that a person reads.
 */
import {show, swap} from './navigation.js'

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  if (form.matches('[data-answers-here]')) answer(event, send(form), form)
  else if (form.id === 'filter') answer(event, filter(form))
  else if (form.matches('.search') && event.agentInvoked) answer(event, search(form))
})

/**
 * @param {SubmitEvent} event
 * @param {Promise<string>} text
 * @param {HTMLFormElement} [form] where the answer is shown
 */
function answer(event, text, form) {
  event.preventDefault()
  if (event.agentInvoked) event.respondWith?.(text)
  if (!form) return
  text.then(
    (said) => {
      say(form, said, 'status')
      // Only after the agent has received the response: resetting a form cancels the call that filled it in.
      setTimeout(() => form.reset())
    },
    (error) => say(form, error.message, 'alert'),
  )
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const {message, error} = await fetch(form.action, {
    method: 'POST',
    body,
    headers: {accept: 'application/json'},
  })
    .then((answer) => answer.json())
    .catch(() => ({error: {message: 'The shop does not respond. Try again.'}}))
  if (error) throw new Error(error.message)
  return message
}

/**
 * Finds products, and shows their page without a reload, which would cancel the call of the agent that filled in the form.
 * @param {HTMLFormElement} form
 */
async function search(form) {
  const address = resultsOf(form)
  const answer = await fetch(`/api/products${address.search}`).catch(() => undefined)
  if (!answer?.ok) throw new Error('The shop does not respond. Try again.')
  /** @type {{products: {name: string}[]}} */
  const {products} = await answer.json()
  // Only after the agent has received the response: the page that is shown does not have the form.
  setTimeout(() => show(address))
  if (products.length === 0) return 'No product matches. Try fewer words.'
  return products.map(({name}) => name).join('\n')
}

/**
 * Filters the products without a reload. The form stays in the page: removing it would cancel the call of an
 * agent that filled it in.
 * @param {HTMLFormElement} form
 */
async function filter(form) {
  const address = resultsOf(form)
  await swap(address, {parts: ['#problem', '#found', '#found-products']})
  const names = [...document.querySelectorAll('.card-name')].map((name) => name.textContent)
  const found = document.querySelector('#problem [role=alert], #found')?.textContent
  return [found, ...names].join('\n')
}

/**
 * The page that a search leads to.
 * @param {HTMLFormElement} form
 */
function resultsOf(form) {
  const address = new URL(form.action)
  for (const [name, value] of new FormData(form)) if (value) address.searchParams.set(name, String(value))
  return address
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 * @param {'status' | 'alert'} role
 */
function say(form, text, role) {
  form.querySelector('.said')?.remove()
  const note = document.createElement('p')
  note.className = `said ${role}`
  note.setAttribute('role', role)
  form.append(note)
  // Set after insertion into the page, because only then do screen readers announce it.
  note.textContent = text
  note.scrollIntoView({block: 'nearest'})
}
