import {useEffect, useId, useMemo, useRef, useState} from 'preact/hooks'
import {Fragment, jsx, jsxs} from 'preact/jsx-runtime'
import {all} from '../../page.ts'
import {controlsOf, fieldLabelOf, labelledBy, labelOf, textOf} from '../forms/controls.ts'
import {highlight} from '../forms/highlight.ts'
import {pageForms} from '../forms/pageForms.ts'
import {headingHere, idsHere} from '../forms/pageIds.ts'
import {uniqueSelector} from '../forms/uniqueSelector.ts'
import {pagePath} from '../pagePath.ts'
import {CopyButton} from './copyButton.tsx'
import {Text} from './text.tsx'

/** What the panel lends to its modules, so that it is loaded once. */
export const LENT = {
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
  all,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
}

export type Lent = typeof LENT
