import {Html, html} from './html.ts'

/**
 * Line drawings of the products, 120 by 90. Classes, since the page's policy allows no inline style: `a` is filled with
 * the accent, `b` with a soft tone, `c` with paper.
 */
const DRAWINGS: Record<string, string> = {
  'mooring-rope':
    '<ellipse class="b" cx="58" cy="46" rx="38" ry="26"/><ellipse cx="58" cy="46" rx="31" ry="20"/><ellipse cx="58" cy="46" rx="24" ry="14.5"/><ellipse class="c" cx="58" cy="46" rx="16" ry="8.5"/><path d="M95 52c9 5 12 13 5 18s-17 4-21 10"/><path class="a" d="M53 18h10v21H53z"/>',
  'harbour-fender':
    '<path d="M60 4c5 0 5 8 0 8s-5 8 0 8"/><path class="b" d="M60 18c-4 0-6 3-7 6-5 2-8 7-8 13v26c0 6 3 11 8 13 1 3 3 6 7 6s6-3 7-6c5-2 8-7 8-13V37c0-6-3-11-8-13-1-3-3-6-7-6z"/><path class="a" d="M45 39h30v9H45zM45 55h30v9H45z"/>',
  'folding-anchor':
    '<circle class="c" cx="60" cy="13" r="6"/><path d="M60 19v58M48 29h24"/><path d="M28 52c2 17 14 27 32 27s30-10 32-27"/><path class="a" d="M21 58l6-15 11 11zM99 58l-6-15-11 11z"/><path class="b" d="M56 60h8v22h-8z"/>',
  'ring-buoy':
    '<circle class="c" cx="60" cy="45" r="35"/><path class="a" d="M60 10a35 35 0 0 1 24.7 10.3L72.7 32.3A18 18 0 0 0 60 27zM95 45a35 35 0 0 1-10.3 24.7L72.7 57.7A18 18 0 0 0 78 45zM60 80a35 35 0 0 1-24.7-10.3l12-12A18 18 0 0 0 60 63zM25 45a35 35 0 0 1 10.3-24.7l12 12A18 18 0 0 0 42 45z"/><circle class="t" cx="60" cy="45" r="18"/><path d="M60 6c14 0 24 5 31 13M99 45c0 14-5 24-13 31M60 84c-14 0-24-5-31-13M21 45c0-14 5-24 13-31"/>',
  'oilskin-jacket':
    '<path class="a" d="M47 16l13 9 13-9 20 12 7 40-11 2-7-25v37H38V45l-7 25-11-2 7-40z"/><path class="b" d="M47 16c0-7 5-11 13-11s13 4 13 11l-13 9z"/><path d="M60 25v57M43 62h11M66 62h11M60 36h3M60 48h3M60 60h3M60 72h3"/>',
  'deck-boots':
    '<path class="b" d="M62 14h18v41c6 4 19 6 19 15v7H62z"/><path class="a" d="M28 10h20v43c6 5 21 6 21 17v9H28z"/><path d="M28 70h41M28 19h20M62 70h5M66 22h14"/>',
  'wool-jumper':
    '<path class="b" d="M48 12c4 6 20 6 24 0l21 11 8 50-12 2-7-30v34H38V45l-7 30-12-2 8-50z"/><path d="M48 12c-1 12 25 12 24 0M38 72h44M45 72v7M52 72v7M60 72v7M68 72v7M75 72v7M20 66l12 2M88 68l12-2"/><path d="M48 34l4 5 4-5 4 5 4-5 4 5 4-5M48 44l4 5 4-5 4 5 4-5 4 5 4-5"/>',
  'watch-cap':
    '<path class="a" d="M30 58c0-28 12-46 30-46s30 18 30 46z"/><path d="M44 56c0-18 6-34 16-44M76 56c0-18-6-34-16-44M60 12v44"/><rect class="b" x="25" y="55" width="70" height="21" rx="6"/><path d="M36 55v21M48 55v21M60 55v21M72 55v21M84 55v21"/>',
  'hand-compass':
    '<path d="M60 8V4M60 4c10-4 20 2 18 9"/><circle class="b" cx="60" cy="48" r="36"/><circle class="c" cx="60" cy="48" r="27"/><path d="M60 25v4M60 67v4M37 48h4M79 48h4"/><path class="a" d="M71 33L64.500 51.500 55.500 44.500z"/><path class="b" d="M49 63l6.500-18.500 9 7z"/>',
  binoculars:
    '<path class="b" d="M38 14h16l3 16v40a4 4 0 0 1-4 4H27a4 4 0 0 1-4-4c0-22 9-36 15-40zM82 14H66l-3 16v40a4 4 0 0 0 4 4h26a4 4 0 0 0 4-4c0-22-9-36-15-40z"/><path class="a" d="M36 8h20v8H36zM64 8h20v8H64z"/><path class="c" d="M57 32h6v14h-6z"/><path d="M24 64h32M64 64h32"/>',
  'storm-lantern':
    '<path d="M40 30C36 6 84 6 80 30"/><path class="a" d="M50 18h20l5 12H45z"/><path class="c" d="M46 30h28c5 8 5 20 0 28H46c-5-8-5-20 0-28z"/><path class="b" d="M43 58h34l5 22H38z"/><path class="a" d="M60 36c7 8 7 14 0 18-7-4-7-10 0-18z"/><path d="M40 30c-6 10-6 20 2 30M80 30c6 10 6 20-2 30"/>',
  'enamel-mug':
    '<path class="c" d="M32 20h46v48a9 9 0 0 1-9 9H41a9 9 0 0 1-9-9z"/><path class="a" d="M30 15h50v8H30z"/><path d="M78 33h9a12 12 0 0 1 0 25h-9"/><path class="b" d="M44 58c5-5 9-5 13 0s8 5 13 0v9H44z"/><path d="M48 8c0-4 4-4 4-8M60 8c0-4 4-4 4-8"/>',
}

/** The picture of a product: decoration, since its name always stands next to it. */
export function pictureOf(id: string): Html {
  const drawing = new Html(DRAWINGS[id] ?? '')
  return html`<svg class="picture" viewBox="0 -4 120 98" aria-hidden="true">${drawing}</svg>`
}
