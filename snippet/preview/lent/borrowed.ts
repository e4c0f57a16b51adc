import type {Lent} from './lent.ts'

// What the panel has is loaded once. This also stands for Preact in the bundles of these modules (snippet/build/build.ts).

export let all: Lent['all']
export let CopyButton: Lent['CopyButton']
export let controlsOf: Lent['controlsOf']
export let Fragment: Lent['Fragment']
export let fieldLabelOf: Lent['fieldLabelOf']
export let headingHere: Lent['headingHere']
export let highlight: Lent['highlight']
export let idsHere: Lent['idsHere']
export let labelledBy: Lent['labelledBy']
export let labelOf: Lent['labelOf']
export let jsx: Lent['jsx']
export let jsxs: Lent['jsxs']
export let pageForms: Lent['pageForms']
export let pagePath: Lent['pagePath']
export let Text: Lent['Text']
export let textOf: Lent['textOf']
export let uniqueSelector: Lent['uniqueSelector']
export let useEffect: Lent['useEffect']
export let useId: Lent['useId']
export let useMemo: Lent['useMemo']
export let useRef: Lent['useRef']
export let useState: Lent['useState']

/** Takes what the panel lends, before anything is shown. */
export function borrow(lent: Lent): void {
  ;({
    all,
    CopyButton,
    controlsOf,
    Fragment,
    fieldLabelOf,
    headingHere,
    highlight,
    idsHere,
    labelledBy,
    labelOf,
    jsx,
    jsxs,
    pageForms,
    pagePath,
    Text,
    textOf,
    uniqueSelector,
    useEffect,
    useId,
    useMemo,
    useRef,
    useState,
  } = lent)
}
