import type {Principal} from '../principal.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.5 Inter, -apple-system, "Segoe UI", Roboto, sans-serif }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f6f8, #0d0e12); color: light-dark(#1b1d27, #e8e9ed) }
  main { width: min(22rem, calc(100vw - 3rem)); padding: 2rem; border-radius: 6px; background: light-dark(#fff, #13141b); border: 1px solid light-dark(#e3e4e8, #272a36) }
  h1 { margin: 0 0 1.25rem; font-size: 1.25rem }
  label { display: block; margin: 0 0 1rem; font-weight: 500; font-size: .8125rem }
  input { box-sizing: border-box; width: 100%; margin-top: .35rem; padding: .55rem .7rem; font: inherit; color: inherit; background: light-dark(#fff, #0d0e12); border: 1px solid light-dark(#c9cbd4, #393d4f); border-radius: 3px }
  input:focus-visible, button:focus-visible { outline: 2px solid #556bfc; outline-offset: 1px }
  button { width: 100%; padding: .6rem; font: inherit; font-weight: 500; color: #fff; background: #4a5fe6; border: 0; border-radius: 3px; cursor: pointer }
  [role=alert] { margin: 0 0 1rem; padding: .6rem .7rem; border-radius: 3px; background: light-dark(#fdebe9, #3a1512); color: light-dark(#972e2a, #f7b5b1); font-size: .875rem }
  .account { margin: .5rem 0 1.25rem; font-size: 1rem; color: inherit; overflow-wrap: anywhere }
  p { margin: 1rem 0 0; font-size: .8125rem; color: light-dark(#6e7386, #9499ad) }
`

/** Headers of the login pages: they run no scripts and cannot be framed. */
export const LOGIN_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // With `no-referrer` the browser would send the form with `Origin: null`, which the lake refuses.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The page with the form for e-mail address and password.
 * @param to the path to continue at
 * @param problem why the last attempt failed
 */
export function loginPage({to, email = '', problem}: {to: string; email?: string; problem?: string}): string {
  return page(`${problem === undefined ? '' : `<div role="alert">${escapeHtml(problem)}</div>`}
<form method="post" action="/login">
<input type="hidden" name="to" value="${escapeHtml(to)}">
<label>Email<input name="email" type="email" value="${escapeHtml(email)}" autocomplete="username" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>
<p>No password, or lost the link? On the server, <code>npm run lake -- editor link --email YOUR_EMAIL</code> prints a new one.</p>
<p>No account yet? <code>npm run lake -- editor add</code> adds one.</p>`)
}

/**
 * The page that a one-time link opens. It names the account, because the link may come from someone else.
 * Only the button redeems the link, because mail scanners and chat previews open links too.
 */
export function linkPage({to, code, editor}: {to: string; code: string; editor: Principal}): string {
  return page(`<p>This link signs you in once as</p>
<p class="account"><strong>${escapeHtml(editor.name)}</strong><br>${escapeHtml(editor.email)}</p>
<form method="post" action="/login">
<input type="hidden" name="to" value="${escapeHtml(to)}">
<input type="hidden" name="code" value="${escapeHtml(code)}">
<button autofocus>Sign in</button>
</form>
<p>Not you? Close this page: the link may have been sent to you by mistake.</p>`)
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sign in</h1>
${content}
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '')
}
