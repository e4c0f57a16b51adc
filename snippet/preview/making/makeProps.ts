import type {StudioOfPreview} from '../../../schemas/making/studioLink.ts'
import type {WantedField} from '../../previewLink.ts'

/** What the tab “Make a tool” knows of the preview. */
export type MakeProps = {
  /** The address of the service, with a trailing slash. */
  readonly base: string
  /** Where Studio makes the tool; undefined: the page was not opened from Studio. */
  readonly studio: (StudioOfPreview & {readonly siteId: string}) | undefined
  /** Whether it is the chosen tab. */
  readonly isShown: boolean
  /** The name of the tool that has a draft with this id, and is on the page. */
  readonly nameOf: (id: string) => string | undefined
  /** Names of tools that are on the page, or that the site has. */
  readonly taken: readonly string[]
  /** Shows a tool in its tab, to be tried. */
  readonly show: (name: string) => void
  /** The field of a tool that Studio opened the page for; undefined: a new tool is made. */
  readonly wanted: WantedField | undefined
  /** Goes on with a new tool. */
  readonly forget: () => void
}
