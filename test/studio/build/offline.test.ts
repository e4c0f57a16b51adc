import {equal} from 'node:assert/strict'
import {test} from 'node:test'
import {withoutOutside, withoutOutsideFonts} from '../../../studio/build/build.ts'

const kept = `<link href="/static/favicon.ico" rel="icon"/><script>inline()</script><style>
  html {height: 100%}
</style><script src="/static/app.js" type="module"></script>`

test('tags that fetch from other hosts are removed, the others stay unchanged', () => {
  const page = `<link href="https://fonts.example/inter.css" rel="stylesheet"/>${kept.replace(
    '  html',
    `  @font-face {
    font-family: Inter;
    src: url("https://fonts.example/Inter.woff2") format("woff2");
  }
  html`,
  )}<script src="https://core.example/bridge.js" async type="module" data-core></script>
<script src="//cdn.example/x.js"></script>`
  equal(withoutOutside(page), kept)
  equal(withoutOutside(kept), kept)
})

test('a style sheet keeps its bundled fonts', () => {
  const own = '@font-face{font-family:A;src:url(/static/a.woff2)}'
  equal(
    withoutOutsideFonts(`${own}@font-face{font-family:B;src:url(https://x.example/b.woff2)}p{margin:0}`),
    `${own}p{margin:0}`,
  )
})
