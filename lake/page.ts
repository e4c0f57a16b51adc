/** Headers of every page for people: Studio, the sign-in page, and the pages that lead to either. */
export const PAGE_HEADERS = {
  // A page that opened this one in a window could otherwise replace it by a page that looks the same.
  // https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies
  'cross-origin-opener-policy': 'same-origin',
  // What Studio never uses, and so no script on its page can ask for. Copying needs `clipboard-write`.
  'permissions-policy': [
    'accelerometer',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'usb',
  ]
    .map((feature) => `${feature}=()`)
    .join(', '),
} as const

/**
 * RFC 6797, for a lake that people reach over TLS: browsers use no other scheme for its host, for a year. Not for
 * subdomains, which may be others'.
 */
export const STRICT_TRANSPORT = ['strict-transport-security', 'max-age=31536000'] as const

/** The style of all pages but Studio. In light and dark, as the browser prefers. */
export const PAGE_STYLE = `
  :root { color-scheme: light dark; font: 15px/1.5 Inter, -apple-system, "Segoe UI", Roboto, sans-serif }
  body { margin: 0; background: light-dark(#f6f6f8, #0d0e12); color: light-dark(#1b1d27, #e8e9ed) }
  main { border-radius: 6px; background: light-dark(#fff, #13141b); border: 1px solid light-dark(#e3e4e8, #272a36) }
  a { color: inherit }
  a:focus-visible, input:focus-visible, button:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid #556bfc; outline-offset: 1px }
`

/** A page for people. @param head further elements of its head @param body HTML */
export function htmlPage(
  title: string,
  {head = '', style, body}: {readonly head?: string; readonly style: string; readonly body: string},
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>${head}
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  const names: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '')
}
