import {escapeHtml, htmlPage, PAGE_HEADERS, PAGE_STYLE} from '../../page.ts'
import type {Editor} from '../principal.ts'

const STYLE = `${PAGE_STYLE}
  body { min-height: 100vh; display: grid; place-items: center }
  main { box-sizing: border-box; width: min(26rem, calc(100vw - 2rem)); padding: 2rem }
  h1 { margin: 0 0 1.25rem; font-size: 1.25rem }
  label { display: block; margin: 0 0 1rem; font-weight: 500; font-size: .8125rem }
  input { box-sizing: border-box; width: 100%; margin-top: .35rem; padding: .55rem .7rem; font: inherit; color: inherit; background: light-dark(#fff, #0d0e12); border: 1px solid light-dark(#c9cbd4, #393d4f); border-radius: 3px }
  button, .button { box-sizing: border-box; display: block; width: 100%; padding: .6rem; font: inherit; font-weight: 500; text-align: center; text-decoration: none; color: #fff; background: #4a5fe6; border: 0; border-radius: 3px; cursor: pointer }
  .or { display: flex; gap: .75rem; align-items: center; margin: 1.25rem 0 }
  .or::before, .or::after { content: ''; flex: 1; border-top: 1px solid light-dark(#e3e4e8, #272a36) }
  [role=alert] { margin: 0 0 1rem; padding: .6rem .7rem; border-radius: 3px; background: light-dark(#fdebe9, #3a1512); color: light-dark(#972e2a, #f7b5b1); font-size: .875rem }
  .account { margin: .5rem 0 1.25rem; font-size: 1rem; color: inherit; overflow-wrap: anywhere }
  summary { margin: 1rem 0 0; font-size: .8125rem; color: light-dark(#6e7386, #9499ad); cursor: pointer }
  code { overflow-wrap: anywhere }
  p { margin: 1rem 0 0; font-size: .8125rem; color: light-dark(#6e7386, #9499ad) }
`

/** Headers of the login pages: they run no scripts and cannot be framed. */
export const LOGIN_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // With `no-referrer` the browser would send the form with `Origin: null`, which the lake refuses.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

type LoginPage = {
  /** The path to continue at. */
  readonly to: string
  readonly email?: string
  /** Why the last attempt failed. */
  readonly problem?: string
  /** The name of the identity provider, with single sign-on. */
  readonly provider?: string | undefined
  /** Whether editors may sign in with a password. */
  readonly passwords: boolean
}

/** The page that offers all ways to sign in. */
export function loginPage({to, email = '', problem, provider, passwords}: LoginPage): string {
  const alert = problem === undefined ? '' : `<div role="alert">${escapeHtml(problem)}</div>`
  const ways = [
    ...(provider === undefined ? [] : [providerLink(to, provider)]),
    ...(passwords ? [passwordForm(to, email)] : []),
  ]
  return page(`${alert}
${ways.join('\n<p class="or">or</p>\n')}
<p>${passwords ? 'No password, or forgotten?' : 'Lost the link?'} Ask an administrator of this Studio, who finds “Sign-in link” under “People”, for a sign-in link.</p>
<details><summary>If you run this server</summary>
<p><code>npm run lake -- editor link --email YOUR_EMAIL</code> prints a sign-in link, and <code>npm run lake -- editor add</code> adds an account.</p>
</details>
${provider === undefined ? '' : `<p><a href="/login/oidc/sign-out">Sign out of ${escapeHtml(provider)}</a></p>`}`)
}

/** A link, because the policy of the page would not let a form continue at the provider. */
function providerLink(to: string, provider: string): string {
  const address = `/login/oidc?${new URLSearchParams({to})}`
  return `<a class="button" href="${escapeHtml(address)}">Sign in with ${escapeHtml(provider)}</a>`
}

function passwordForm(to: string, email: string): string {
  return `<form method="post" action="/login">
<input type="hidden" name="to" value="${escapeHtml(to)}">
<label>Email<input name="email" type="email" value="${escapeHtml(email)}" autocomplete="username" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>`
}

/**
 * The page that continues at a path after signing in at the provider. The browser does not send the session
 * with a redirect that began on the provider's site, but with a request that this page makes.
 */
export function continuePage(to: string): string {
  const address = escapeHtml(to)
  return page(
    `<p>You are signed in. <a href="${address}">Continue</a></p>`,
    `<meta http-equiv="refresh" content="0;url=${address}">`,
  )
}

type LinkPage = {
  readonly to: string
  readonly code: string
  readonly editor: Editor
  /** Whether editors may sign in with a password. */
  readonly passwords: boolean
}

/**
 * The page that a one-time link opens. It names the account, because the link may come from someone else.
 * Only the button redeems the link, because mail scanners and chat previews open links too.
 */
export function linkPage({to, code, editor, passwords}: LinkPage): string {
  const next =
    passwords && !editor.hasPassword
      ? '<p>Afterwards, you can set a password under “People”, so that you do not need a link next time.</p>'
      : ''
  return page(`<p>This ${editor.isInvited ? 'invitation' : 'link'} signs you in once as</p>
<p class="account"><strong>${escapeHtml(editor.name)}</strong><br>${escapeHtml(editor.email)}</p>
<form method="post" action="/login">
<input type="hidden" name="to" value="${escapeHtml(to)}">
<input type="hidden" name="code" value="${escapeHtml(code)}">
<button autofocus>Sign in</button>
</form>
${next}
<p>Not you? Close this page: the link may have been sent to you by mistake.</p>`)
}

function page(content: string, head = ''): string {
  return htmlPage('Sign in to Handrail', {
    head,
    style: STYLE,
    body: `<main>\n<h1>Sign in to Handrail</h1>\n${content}\n</main>`,
  })
}
