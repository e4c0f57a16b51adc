import {Layout} from '../content/layout/layout.ts'
import {TEXT_FILES} from '../schemas/index.ts'

/** Which fields have files of their own. */
export const LAYOUT = new Layout(TEXT_FILES)
