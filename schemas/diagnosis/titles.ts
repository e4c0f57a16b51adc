import {FIELD_TITLES} from './titles.generated.ts'
import type {TitleOf} from './words.ts'

/** The title of a field as forms in Studio show it, for programs without Studio's schema types. */
export const fieldTitle: TitleOf = (type, field) => FIELD_TITLES[type]?.[field] ?? field
