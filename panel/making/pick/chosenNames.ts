import {isStable, isUtility} from '../../../schemas/rules/names/stableName.ts'

/** A class that a person chose, and what finds it when the page is built again. */
type ChosenName = {readonly name: string; readonly selector: string}

/**
 * What generators of classes keep of the name that a person chose: `Card_title__` of `Card_title__x7Kq2`, `Card__Title-sc-` of
 * `Card__Title-sc-1ab-0`, `_title_` of `_title_1x9f2_17`, `item_` of `item_Tv2o`.
 */
const KEPT =
  /^(?:[A-Za-z][A-Za-z_-]*(?:__|-sc-|--)(?=[\w-]{4,}$)|[A-Za-z][A-Za-z-]*_(?=[A-Za-z\d]{4}$)|_[A-Za-z][A-Za-z-]*_(?=[\da-z]{5,6}_\d+$|(?=.*\d)[\da-z]{5,6}$))/

/** The classes of an element that people chose, those that more elements may have first. */
export function chosenNames(element: Element): ChosenName[] {
  return [...element.classList].flatMap((name): ChosenName[] => {
    // Rows by turns are of one kind.
    const own = name.replace(/[-_](?:odd|even|alt)$/, '')
    if (own !== name) return isStable(own) ? [{name: own, selector: `[class*="${own}"]`}] : []
    if (isStable(name) && !isUtility(name) && !/[^a-z_-]/i.test(name))
      return [{name, selector: `.${CSS.escape(name)}`}]
    const [kept] = KEPT.exec(name) ?? []
    if (!kept) return []
    const words = kept.replace(/(?:-sc-|_+|-+)$/, '')
    return [{name: words.split(/_+|-module/).at(-1) ?? words, selector: `[class*="${kept}"]`}]
  })
}
