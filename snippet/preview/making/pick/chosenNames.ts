import {isStable} from '../../../../schemas/rules/names/stableName.ts'

/** A class that a person chose, and what finds it when the page is built again. */
type ChosenName = {readonly name: string; readonly selector: string}

/** Classes of utilities: they say how something looks, and are others tomorrow. */
const LOOKS =
  /^(?:text|font|bg|border|rounded|flex|grid-cols|grid-flow|btn|gap|space-[xy]|items|justify|leading|max-[wh]|min-[wh]|ring|shadow|overflow|align|visually|[mp][trblxyse]?|[wh]|d|fs|fw|lh|css|jsx?|is|has)-|^(?:flex|grid|group|row|col|block|inline|hidden|truncate|italic|underline|uppercase|lowercase|capitalize|relative|absolute|sticky|static|clearfix|container|small|light|muted|sr-only|odd|even|first|last|active|selected|open|current|loaded|new|collapse|collapsed|fade|show)$|[^a-z_-]/i

/**
 * What generators of classes keep of the name that a person chose: `Card_title__` of `Card_title__x7Kq2`, `Card__Title-sc-` of
 * `Card__Title-sc-1ab-0`, `_title_` of `_title_1x9f2_17`.
 */
const KEPT =
  /^(?:[A-Za-z][A-Za-z_-]*(?:__|-sc-|--)(?=[\w-]{4,}$)|_[A-Za-z][A-Za-z-]*_(?=[\da-z]{5,6}_\d+$|(?=.*\d)[\da-z]{5,6}$))/

/** The classes of an element that people chose, those that more elements may have first. */
export function chosenNames(element: Element): ChosenName[] {
  return [...element.classList].flatMap((name): ChosenName[] => {
    if (isStable(name) && !LOOKS.test(name)) return [{name, selector: `.${CSS.escape(name)}`}]
    const [kept] = KEPT.exec(name) ?? []
    if (!kept) return []
    const words = kept.replace(/(?:-sc-|_+|-+)$/, '')
    return [{name: words.split(/_+|-module/).at(-1) ?? words, selector: `[class*="${kept}"]`}]
  })
}
