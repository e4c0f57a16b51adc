import type {Panel} from '../panel.ts'

/** What the tab “Make a tool” knows of the preview. */
export type MakeProps = {
  readonly panel: Panel
  /** Whether it is the chosen tab. */
  readonly isShown: boolean
  /** The name of the tool that has a draft with this id, and is on the page. */
  readonly nameOf: (id: string) => string | undefined
  /** Names of tools that are on the page, or that the site has. */
  readonly taken: readonly string[]
  /** Shows a tool in its tab, to be tried. */
  readonly show: (name: string) => void
}
