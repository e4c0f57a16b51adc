import type {ComponentChildren} from 'preact'
import {useEffect, useId, useMemo, useRef, useState} from 'preact/hooks'
import {Fragment, jsx, jsxs} from 'preact/jsx-runtime'
import {controlsOf, fieldLabelOf, textOf} from '../forms/controls.ts'
import {highlight} from '../forms/highlight.ts'
import {pageForms} from '../forms/pageForms.ts'
import {uniqueSelector} from '../forms/uniqueSelector.ts'
import type {MakeModule, MakeProps} from '../lending.ts'
import {CopyButton} from './copyButton.tsx'
import {Text} from './outcomeView.tsx'

/** Of the module, in its address, so that a stale copy in a cache is never used. The build inserts it. */
declare const MAKE_HASH: string

type View = (props: MakeProps) => ComponentChildren

/** The tab “Make a tool”. Its module is loaded when the tab is first chosen. */
export function MakeTab(props: MakeProps) {
  const {base, isShown} = props
  const [loaded, setLoaded] = useState<{View: View} | 'failed'>()
  const attempts = useRef(0)
  useEffect(() => {
    if (!isShown || loaded) return
    attempts.current += 1
    load(base, attempts.current).then(
      (View) => setLoaded({View}),
      () => setLoaded('failed'),
    )
  }, [isShown, loaded, base])
  if (loaded === undefined) return <p class="empty">Loading…</p>
  if (loaded === 'failed')
    return (
      <p role="alert">
        The service did not send this part of the panel.{' '}
        <button type="button" onClick={() => setLoaded(undefined)}>
          Try again
        </button>
      </p>
    )
  return <loaded.View {...props} />
}

async function load(base: string, attempt: number): Promise<View> {
  // Browsers do not request a module that failed to load once more.
  const module: MakeModule = await import(`${base}snippet.make.js?${MAKE_HASH}-${attempt}`)
  return module.makeView({
    CopyButton,
    controlsOf,
    Fragment,
    fieldLabelOf,
    highlight,
    jsx,
    jsxs,
    pageForms,
    Text,
    textOf,
    uniqueSelector,
    useEffect,
    useId,
    useMemo,
    useRef,
    useState,
  })
}
