/** The style of pages without scripts: signing in, and the guides. In light and dark, as the browser prefers. */
export const PAGE_STYLE = `
  :root { color-scheme: light dark; font: 15px/1.5 Inter, -apple-system, "Segoe UI", Roboto, sans-serif }
  body { margin: 0; background: light-dark(#f6f6f8, #0d0e12); color: light-dark(#1b1d27, #e8e9ed) }
  main { border-radius: 6px; background: light-dark(#fff, #13141b); border: 1px solid light-dark(#e3e4e8, #272a36) }
  a { color: inherit }
  a:focus-visible, input:focus-visible, button:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid #556bfc; outline-offset: 1px }
`
