import type {Fields} from '../../schemas/record.ts'
import type {WantedField} from '../../snippet/previewLink.ts'
import {RecentEntries} from '../preview/recentEntries.ts'

/** What a person shows on a page for each field. */
export const MODES = {
  request: 'record',
  reading: 'pick',
  selector: 'form',
  offeredWhile: 'pick',
} as const satisfies Record<string, WantedField['mode']>

/** A field of a tool that a person fills in by showing it on a page. */
export type ShownField = {
  /** A key that only this browser and the opened page know: other pages cannot fill anything in. */
  readonly id: string
  readonly siteId: string
  /** Of the published document. */
  readonly toolId: string
  readonly type: 'tool' | 'formTool'
  readonly field: keyof typeof MODES
  /** The key of the part of a reading that is replaced; empty: parts are added. */
  readonly part: string
}

/** The fields for which pages were opened in this browser. */
export const shownFields = new RecentEntries<ShownField>('handrail.shown-fields', parseShownField)

function parseShownField(stored: Fields): ShownField | undefined {
  const {id, siteId, toolId, type, field, part} = stored
  if (typeof id !== 'string' || typeof siteId !== 'string' || typeof toolId !== 'string') return undefined
  if ((type !== 'tool' && type !== 'formTool') || typeof part !== 'string' || !isField(field))
    return undefined
  return {id, siteId, toolId, type, field, part}
}

function isField(field: unknown): field is keyof typeof MODES {
  return typeof field === 'string' && Object.hasOwn(MODES, field)
}
