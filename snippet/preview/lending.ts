import type {ComponentChildren} from 'preact'
import type * as hooks from 'preact/hooks'
import type * as runtime from 'preact/jsx-runtime'
import type * as controls from './forms/controls.ts'
import type {highlight} from './forms/highlight.ts'
import type {pageForms} from './forms/pageForms.ts'
import type {uniqueSelector} from './forms/uniqueSelector.ts'

/** What the panel lends to the module of a tab, so that it is loaded once. */
export type Lent = Pick<typeof hooks, 'useEffect' | 'useId' | 'useMemo' | 'useRef' | 'useState'> &
  Pick<typeof runtime, 'Fragment' | 'jsx' | 'jsxs'> &
  Pick<typeof controls, 'controlsOf' | 'fieldLabelOf' | 'textOf'> & {
    readonly highlight: typeof highlight
    readonly pageForms: typeof pageForms
    readonly uniqueSelector: typeof uniqueSelector
    readonly CopyButton: (props: {label: string; text: string}) => ComponentChildren
    readonly Text: (props: {label: string; text: string}) => ComponentChildren
  }

/** What the tab knows of the preview. */
export type MakeProps = {
  /** The address of the service, with a trailing slash. */
  readonly base: string
  /** Where Studio makes the tool; undefined: the page was not opened from Studio. */
  readonly studio: {readonly url: string; readonly siteId: string} | undefined
  /** Whether it is the chosen tab. */
  readonly isShown: boolean
  /** The name of the tool that has a draft with this id, and is on the page. */
  readonly nameOf: (id: string) => string | undefined
  /** Shows a tool in its tab, to be tried. */
  readonly show: (name: string) => void
}

/** The module of the tab. */
export type MakeModule = {readonly makeView: (lent: Lent) => (props: MakeProps) => ComponentChildren}
